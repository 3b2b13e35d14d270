/**
 * How people hesitate, by language: sounds that say nothing, phrases that say nothing where commas set
 * them off, and small words that nobody says twice to stress them. Put together from the lists of filled
 * pauses in the corpora of spoken language that grammars of these languages cite; short on purpose, since
 * a sound that may also be an answer or a unit ("mhm", "mm") is no hesitation. All in small letters.
 */
export interface Habits {
  sounds: readonly string[]
  phrases?: readonly string[]
  small?: readonly string[]
}

const listed = (words: string): string[] => words.split(' ')

export const habits: Readonly<Record<string, Habits>> = {
  en: {
    sounds: listed('um umm uhm uh uhh er err erm hm hmm'),
    phrases: ['you know', 'i mean', 'sort of', 'kind of'],
    small: listed(
      'a an the and or but so if i you he she it we they my your his her our their is are was were am be have has do does did will would can could to of in on at by for from with as this these those there what when where who how which because',
    ),
  },
  de: {
    sounds: listed('äh ähm ähh ähhm öh öhm hm hmm'),
    phrases: ['sozusagen', 'wie gesagt', 'ich sage mal', 'sag ich mal'],
    small: listed(
      'der die das den dem des ein eine einen einem einer und oder aber wenn weil dass ich du er sie es wir ihr mein dein sein unser ist sind war waren hat haben wird werden kann zu von in im an am auf für mit bei aus nach als wie',
    ),
  },
  es: {
    sounds: listed('eh ehm em eeh hm hmm'),
    phrases: ['o sea', 'es decir'],
    small: listed(
      'el la los las un una unos y o pero si que yo tú él ella nosotros mi su es son era está están ha han de en a al del por para con como lo se me te',
    ),
  },
  fr: {
    sounds: listed('euh euhm heu hum hm hmm'),
    phrases: ['tu vois', 'vous voyez', 'je veux dire'],
    small: listed(
      'le la les un une des et ou mais si que qui je tu il elle on nous vous ils elles mon ma mes ton son sa ses est sont était a ont de du en à au aux dans par pour avec sur ce cette ces se ne',
    ),
  },
  it: {
    sounds: listed('ehm eh em uhm hm hmm'),
    phrases: ['cioè', 'diciamo'],
    small: listed(
      'il lo la i gli le un uno una e o ma se che io tu lui lei noi voi loro mio suo è sono era ha hanno di da in a al del nel per con su come si',
    ),
  },
  pt: {
    sounds: listed('hum hm ehm ahm hã ãh'),
    phrases: ['quer dizer', 'sabe'],
    small: listed(
      'o a os as um uma e ou mas se que eu tu ele ela nós vocês meu seu é são era está tem têm de do da em no na por para com como',
    ),
  },
  nl: {
    sounds: listed('eh ehm uh uhm uhh euh euhm hm hmm'),
    phrases: ['zeg maar', 'weet je'],
    small: listed(
      'de het een en of maar als dat ik je jij hij zij ze we wij mijn zijn haar ons is was waren heeft hebben wordt kan te van in op aan voor met bij uit naar die dit deze',
    ),
  },
  ru: {
    sounds: listed('э ээ эээ эм эмм м мм ммм хм гм э-э'),
    phrases: ['так сказать', 'как бы'],
    small: listed(
      'и а но что как в на с к у о от до за по из я ты он она мы вы они это этот эта не',
    ),
  },
  ja: { sounds: listed('えー ええと えーと えっと あのー うーん んー えーっと') },
  ko: { sounds: listed('음 어 으음 음음 에') },
  zh: { sounds: listed('嗯 呃 额 唔') },
  ar: { sounds: listed('امم اممم آآ ااا إممم') },
}
