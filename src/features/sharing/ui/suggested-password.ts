/** Passwords for links: easy to say on the telephone, and not to be guessed within the limits of tries. */

/** 256 words that are spelt as they sound. */
const words = `
acorn amber anchor apple apron attic autumn badger bamboo banjo barley barn basil basket
beacon beech berry birch biscuit blanket bobbin bonnet border bottle boulder bramble brass
bridge brook broom bucket butter button cabin cactus camel candle canoe canvas carpet carrot
castle cedar cellar cello chalk cherry chimney cider clover cobalt cocoa comet copper coral
cotton cradle crane cricket crystal curtain dairy daisy dancer desert dragon drum eagle early
echo elbow elder ember engine falcon farm feather fennel ferry fiddle field flint flute forest
fossil fountain galley garden garlic ginger glacier granite grape gravel guitar hammer hammock
harbor harp hazel heather hedge helmet heron hollow honey ink island ivory ivy jacket jasmine
jersey jigsaw juniper kayak kernel kettle kitchen kiwi ladder lagoon lantern larch laurel
lemon lentil lilac linen lizard lobby locket magnet mallet mango maple marble market meadow
mellow melon midday mirror mitten moss mustard napkin nectar needle nickel nutmeg oasis
oatmeal olive onion orange orchard otter oyster paddle panda paper parcel parsley pastel
pebble pelican pencil pepper petal pickle pigeon pillow pine planet plum pocket pollen poplar
poppy potter prairie pumpkin purple quilt rabbit radish raft rainbow raven reels ribbon river
robin rocket rosemary rowan saddle saffron sailor salmon sandal satin scarf sesame shadow
shelter silver sketch slate sleeve socket sparrow spruce stable station steeple stone summer
sunset swallow tablet tailor tango teapot thicket thimble thunder tiger timber tinsel toffee
tomato topaz torch tower tractor trumpet tulip tunnel turnip turtle valley vanilla velvet
vineyard violet violin voyage waffle wagon walnut water willow window winter
`
  .trim()
  .split(/\s+/)

/** Three parts, such as "dairy-reels-54": one of about six million. */
export function suggestedPassword(): string {
  const [first = 0, second = 0, number = 0] = crypto.getRandomValues(new Uint32Array(3))
  const wordAt = (value: number) => words[value % words.length]
  return `${wordAt(first)}-${wordAt(second)}-${10 + (number % 90)}`
}
