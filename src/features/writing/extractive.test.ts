import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { WritingTurn } from './contract.ts'
import { extract, gather } from './extractive.ts'

/** One line per turn, `A: what was said`; about as fast as people speak. */
function turnsOf(script: string): WritingTurn[] {
  let startMs = 0
  return script
    .trim()
    .split('\n')
    .map((line) => {
      const [, speaker = '', text = ''] = /^(\w): (.*)$/u.exec(line) ?? []
      const endMs = startMs + text.length * 60
      const turn = { speaker: `Speaker ${speaker}`, startMs, endMs, text }
      startMs = endMs + 500
      return turn
    })
}

const meeting = `
A: Okay, good morning everyone. Um, can you all hear me?
B: Yeah, hi, I can hear you.
C: Good morning. Sorry, I'm a bit late.
A: No problem. So let's start. Um, the main thing today is the launch of the new billing page. We planned it for the tenth of March, and I would like to know if that date still holds.
B: Well, I don't think so. The payment provider changed their test system last week, and half of our checkout tests are failing now. I talked to their support team on Friday and they said a fix will come in about ten days.
C: Right. And without the checkout tests we cannot release, because the last time we skipped them we charged forty customers twice.
A: Yeah, I remember that. That was awful. So what do you suggest?
B: I suggest that we move the launch of the billing page to the twenty fourth of March. That gives us one week after the provider's fix to run the whole checkout test suite twice.
A: Okay. Does marketing have a problem with that?
C: A small one. The newsletter goes out on the fifteenth and it announces the billing page. I can move the announcement to the April newsletter, but I need to know by Wednesday.
A: Then let's decide it now. The launch moves to the twenty fourth of March, and the announcement goes into the April newsletter. Is everyone happy with that?
B: Yes.
C: Yeah, fine with me.
A: Great. Second thing, um, support tickets. We had two hundred and thirty tickets in January, and that is almost twice as many as in December. You know, I looked at a sample of fifty tickets and most of them are about invoices that people cannot download.
B: That is the old invoice archive. It runs on a server that nobody maintains since Peter left. I could move the invoice archive into the main storage, it would take me around three days.
A: What happens if we don't do it?
B: Then the tickets keep coming, and honestly the server could die any day. There is no backup of that server.
C: Oh wow. Okay, that sounds urgent.
A: Yes, I agree. So Ben will move the invoice archive to the main storage before the launch, and until then we make a manual backup every evening.
C: I can write a help article that explains how to get an invoice by email, so support has something to send.
A: Perfect, thank you. Um, last point, the hiring. We have two candidates for the support engineer position. Both interviews are on Thursday afternoon. Please send me your questions before that.
B: Sure.
C: Will do.
A: Okay, I think that's it. Thanks everyone, bye.
B: Bye.
C: Bye bye.
`

const lecture = `
A: Good afternoon. Today we are going to talk about how vaccines work, and why some of them need a booster. Let me begin with the immune system. The immune system has two parts, the innate immune system and the adaptive immune system. The innate immune system reacts within hours, but it reacts to every invader in the same way.
A: The adaptive immune system is slower, it needs days or even weeks, but it learns. When a virus enters the body for the first time, only a few white blood cells recognise it. Those cells multiply and some of them turn into memory cells. Memory cells can survive for decades, and that is the reason why most people get measles only once.
A: So what does a vaccine do? A vaccine shows the immune system a harmless picture of the virus. It can be a dead virus, a weakened virus, or just a single protein from the surface of the virus. The body reacts as if the infection was real, and at the end it has memory cells without ever having been sick.
A: Now, um, why do we need boosters? There are two reasons. The first reason is that memory cells become fewer over time, especially when the protein in the vaccine is very small. A booster wakes up the remaining memory cells and makes them multiply again. The second reason is that some viruses change their surface. The influenza virus is the classic example, its surface proteins change every year, so the memory cells from last year do not recognise it any more.
A: Let me give you some numbers. Before the measles vaccine was introduced in nineteen sixty three, about three million people got measles every year in the United States. By the year two thousand the disease was declared eliminated there. Two doses of the measles vaccine protect about ninety seven percent of people.
A: One more important idea is herd immunity. If enough people are immune, the virus cannot find a new host and the chain of infection breaks. For measles we need about ninety five percent of the population to be immune, because measles is extremely contagious. For polio the threshold is around eighty percent.
A: To sum up, vaccines train the adaptive immune system without the danger of the disease, boosters keep the memory fresh, and herd immunity protects those who cannot be vaccinated. Next week we will look at how the vaccines are tested in clinical trials. Are there any questions? Okay, then see you next week.
`

const call = `
A: Hello, this is Maria from Green Valley Insurance, how can I help you?
B: Hi Maria, um, my name is Thomas Keller. I had a water leak in my kitchen on Sunday and I want to report the damage.
A: Oh, I'm sorry to hear that. Do you have your policy number?
B: Yeah, just a second. It's four seven one nine two two.
A: Thank you. Okay, I see your home insurance policy. Can you tell me what happened?
B: Well, the hose of the dishwasher broke during the night. When I came down in the morning the water was two centimetres high in the whole kitchen. The wooden floor is ruined, and there is water damage on the ceiling of the neighbour below us.
A: I see. And have you turned off the water?
B: Yes, yes, of course. A plumber came on Monday and replaced the hose. I have the bill, it was one hundred and eighty euros.
A: Good. Please keep that bill. Your policy covers the water damage in your flat, but the damage at the neighbour's flat goes through your liability insurance. Do you have liability insurance with us as well?
B: Um, I think so, yeah.
A: Let me check. Yes, you do. Then I will open two claims, one for the wooden floor and one for the ceiling of your neighbour. An assessor will visit you on Thursday between nine and eleven to look at the floor. Is that okay?
B: Thursday is fine. Should I, uh, should I already remove the floor?
A: No, please don't remove anything before the assessor has seen it. But please take photos of everything and send them to us by email with the claim number.
B: All right. And how long does it take until I get the money?
A: Usually we pay within two weeks after the visit of the assessor. The deductible of your policy is two hundred euros, so we will take that from the payment.
B: Okay, thank you very much.
A: You're welcome. You will get an email with both claim numbers in a few minutes. Have a nice day.
B: You too, bye.
`

const german = `
A: Guten Tag und willkommen zu unserer Bürgerversammlung. Ich freue mich, dass Sie so zahlreich gekommen sind. Heute geht es um den Umbau der Bahnhofstraße.
A: Die Stadt möchte die Bahnhofstraße im nächsten Jahr vollständig erneuern. Die Wasserleitungen unter der Straße sind über sechzig Jahre alt und in den letzten zwei Jahren gab es fünf Rohrbrüche. Deshalb müssen die Leitungen ersetzt werden, bevor die Fahrbahn neu gebaut wird.
B: Wie lange soll das denn dauern? Also ich habe einen Laden in der Bahnhofstraße, und wenn die Straße ein Jahr lang gesperrt ist, dann kann ich zumachen.
A: Das ist eine berechtigte Frage. Die Bauarbeiten dauern voraussichtlich acht Monate. Wir bauen in vier Abschnitten, und jeder Abschnitt ist höchstens zwei Monate gesperrt. Die Geschäfte bleiben zu Fuß immer erreichbar.
B: Und was ist mit den Parkplätzen?
A: Von den sechzig Parkplätzen fallen zwanzig weg, weil wir auf beiden Seiten einen Radweg bauen. Dafür öffnet die Stadt den Parkplatz hinter dem Rathaus für die Kunden der Geschäfte, und die erste Stunde ist dort kostenlos.
C: Ähm, ich finde den Radweg sehr gut. Meine Kinder fahren jeden Tag mit dem Fahrrad zur Schule und im Moment ist das auf der Bahnhofstraße wirklich gefährlich.
B: Ja, aber die Kunden kommen mit dem Auto. Ohne Parkplätze verlieren die Geschäfte Umsatz.
A: Wir haben dazu eine Umfrage gemacht. Von achthundert befragten Kunden kommen siebenundvierzig Prozent zu Fuß oder mit dem Fahrrad und nur ein Drittel mit dem Auto. Der Umbau kostet insgesamt vier Millionen Euro, und das Land übernimmt die Hälfte der Kosten.
C: Wann wird darüber entschieden?
A: Der Stadtrat entscheidet am zwölften Mai über den Umbau. Bis Ende April können alle Anwohner ihre Einwände schriftlich beim Bauamt einreichen. Vielen Dank, und kommen Sie gut nach Hause.
`

const unpunctuated = `
A: so i wanted to record a few thoughts about the garden before i forget the tomatoes did really well this year we picked about forty kilos and the only problem was the blight at the end of august i think next year i will plant them under the roof by the shed because the leaves stay dry there the beans were a disaster the slugs ate nearly all the young plants in may and i had to sow them again in june and then it was too dry for the beans so next year i want to raise the bean plants in pots and put them out when they are bigger and i also want to put copper tape around the raised beds against the slugs what else um the compost the compost heap is full and it doesn't get hot enough i have to turn it more often and mix in straw and maybe build a second compost heap so that one can rest while the other one gets filled oh and the water barrel is leaking i need to buy a new tap for the water barrel before the spring that's about it really the apple tree needs pruning in february and i should ask michael if he can help with that because i can't climb the ladder with my knee
`
const all = { meeting, lecture, call, german, unpunctuated }
const languageOf = (name: string) => (name === 'german' ? 'de' : 'en')

const sentenceCount = (text: string) => text.match(/[.!?](?=\s|$)/gu)?.length ?? 0

describe('a meeting', () => {
  const { text, keyPoints, topics, actionItems } = extract({
    turns: turnsOf(meeting),
    language: 'en',
  })
  const points = keyPoints.map((point) => point.text).join(' ')

  test('has one list of its decisions and their reasons, and its tasks besides', () => {
    expect(text).toBe('')
    expect(points).toMatch(/twenty fourth of March/)
    expect(points).toMatch(/checkout tests/)
    const tasks = actionItems.map((task) => task.text).join(' ')
    expect(`${points} ${tasks}`).toContain(
      'Ben will move the invoice archive to the main storage before the launch',
    )
    expect(
      keyPoints.filter((point) => actionItems.some((task) => task.text === point.text)),
    ).toEqual([])
  })

  test('has key points without greetings, questions and small talk', () => {
    expect(keyPoints.length).toBeGreaterThanOrEqual(4)
    expect(points).not.toMatch(/good morning|hear me|thank|bye|happy with that|\?/i)
  })

  test('has the things it was about as topics', () => {
    expect(topics).toEqual(expect.arrayContaining(['Invoice archive', 'Billing page', 'Launch']))
    expect(topics.join(' ')).not.toMatch(/\b(okay|yeah|thing|everyone|going)\b/i)
  })
})

describe('a lecture', () => {
  const { text, keyPoints, topics } = extract({ turns: turnsOf(lecture), language: 'en' })

  test('is summarised by its conclusion and its reasons', () => {
    expect(text).toContain('To sum up, vaccines train the adaptive immune system')
    expect(text).toContain('reason')
  })

  test('has its subjects as topics, each thing once', () => {
    expect(topics).toEqual(expect.arrayContaining(['Immune system', 'Memory cells', 'Measles']))
    const singles = topics.map((topic) => topic.toLowerCase().replace(/s$/, ''))
    expect(new Set(singles).size).toBe(topics.length)
  })

  test('has key points that are not the summary once more', () => {
    const repeated = keyPoints.filter((point) => text.includes(point.text))
    expect(keyPoints.length).toBeGreaterThanOrEqual(3)
    expect(repeated).toEqual([])
  })
})

describe('a phone call', () => {
  const { keyPoints, topics } = extract({ turns: turnsOf(call), language: 'en' })

  test('is told by the next steps', () => {
    const points = keyPoints.map((point) => point.text).join(' ')
    expect(points).toContain('An assessor will visit you on Thursday between nine and eleven')
  })

  test('has key points without politeness', () => {
    const points = keyPoints.map((point) => point.text).join(' ')
    expect(points).not.toMatch(/hello|how can I help|sorry|welcome|nice day|thank/i)
    expect(topics).toEqual(expect.arrayContaining(['Water damage', 'Liability insurance']))
  })
})

describe('a German meeting', () => {
  const { keyPoints, topics } = extract({ turns: turnsOf(german), language: 'de' })

  test('is told in German, by its subject', () => {
    const points = keyPoints.map((point) => point.text).join(' ')
    expect(points).toContain('Umbau')
    expect(points).not.toMatch(/willkommen|Vielen Dank|\?/)
  })

  test('has nouns as topics, in the form a heading has', () => {
    expect(topics).toEqual(expect.arrayContaining(['Bahnhofstraße', 'Umbau', 'Parkplätze']))
  })
})

describe('a dictation without any punctuation', () => {
  const { text, keyPoints, topics } = extract({ turns: turnsOf(unpunctuated), language: 'en' })

  test('is cut into sentences that can be read', () => {
    for (const point of keyPoints) {
      expect(point.text).toMatch(/^\p{Lu}.*\.$/u)
      expect(point.text.split(' ').length).toBeLessThan(35)
    }
    expect(keyPoints.length).toBeGreaterThanOrEqual(3)
    expect(text.length).toBeLessThan(500)
    expect(topics).toEqual(expect.arrayContaining(['Compost heap', 'Water barrel']))
  })
})

describe('other languages', () => {
  test('Spanish topics are whole noun phrases', () => {
    const { topics } = extract({
      turns: turnsOf(`
A: La cosecha de aceitunas ha sido menor que el año pasado, porque en mayo hizo mucho viento. Sin lluvia, una cosecha de aceitunas vale la mitad y los vecinos pierden dinero.
B: La propuesta es instalar riego por goteo en las parcelas de arriba. El riego por goteo reduce el consumo a la mitad, y la cooperativa tiene fondos para la obra.
A: Para eso hace falta un pozo nuevo, y el pozo cuesta nueve mil euros con los permisos.
B: Entonces pedimos una ayuda a la región antes de que termine el verano.
`),
      language: 'es',
    })
    expect(topics).toEqual(expect.arrayContaining(['Cosecha de aceitunas', 'Riego por goteo']))
  })

  test('Chinese and Japanese have sentences and words without spaces', () => {
    const chinese = extract({
      turns: turnsOf(
        'A: 我们做了一次调查，百分之七十的员工希望保留远程办公。远程办公政策先试行六个月，然后根据结果决定是否继续。\n' +
          'B: 远程办公的员工每周来公司两天，星期二和星期四，这样团队可以一起吃午饭。没有远程办公的人可以选择自己的座位。\n' +
          'A: 会议室要装新的摄像头，价格是三万元，财务部门已经同意了，下个月开始安装。\n' +
          'B: 食堂的菜单也要换，很多人喜欢吃面条，厨师说他可以每天做三种汤，价格不变。',
      ),
      language: 'zh',
    })
    expect(chinese.text).toMatch(/。$/)
    expect(chinese.topics.join(' ')).toContain('远程办公')
    const japanese = extract({
      turns: turnsOf(
        'A: 市は駅の近くに新しい図書館を建てる予定です。新しい図書館の建設費は約二十億円です。駐車場は図書館の裏にあります。\n' +
          'B: 駅からは歩いて三分で、子どもも一人で来られます。図書館には静かな部屋と、話をしてもよい部屋があります。\n' +
          'A: 本は十万冊で、雑誌は二百種類です。夜は九時まで開いていて、月曜日は休みになります。',
      ),
      language: 'ja',
    })
    expect(japanese.text).toMatch(/。$/)
    expect(japanese.topics).toContain('図書館')
  })

  test('a language nobody described still has a summary', () => {
    const { text } = extract({
      turns: turnsOf('A: Kokous siirtyy ensi viikkoon, koska tilat ovat varattuja.'),
      language: 'fi',
    })
    expect(text).toBe('Kokous siirtyy ensi viikkoon, koska tilat ovat varattuja.')
  })
})

describe('a long recording', () => {
  const turns = turnsOf(`${meeting.trim()}\n${call.trim()}\n${lecture.trim()}`)
  const { keyPoints } = extract({ turns, language: 'en' })
  const end = turns.at(-1)?.endMs ?? 0

  test.each([0, 1, 2])('has key points from its third part %i of three', (part) => {
    const here = keyPoints.filter(
      ({ startMs }) => startMs! >= (end * part) / 3 && startMs! < (end * (part + 1)) / 3,
    )
    expect(here.length).toBeGreaterThanOrEqual(1)
  })

  test('has more of them than a short one, and none twice', () => {
    const few = extract({ turns: turns.slice(0, 6), language: 'en' }).keyPoints
    expect(keyPoints.length).toBeGreaterThan(few.length)
    expect(new Set(keyPoints.map(({ text }) => text)).size).toBe(keyPoints.length)
  })
})

describe('words as they are written', () => {
  const said = (text: string) => turnsOf(`A: ${text}`)

  test('stay small where names have their capitals', () => {
    const { text } = extract({
      turns: said(
        'In March, the council of Leeds decided to close the old town to cars, because the smoke harms the old church.',
      ),
      language: 'en',
    })
    expect(text).toContain('the old town to cars')
    expect(text).toContain('Leeds')
  })

  test('are given the capitals of names where there are none', () => {
    const { text } = extract({
      turns: said('the train from chicago to boston was late again on monday.'),
      language: 'en',
    })
    expect(text).toBe('The train from Chicago to Boston was late again on Monday.')
  })
})

test('first names, weekdays and units are no topics', () => {
  const { topics } = extract({
    turns: turnsOf(`
A: Karen writes that the cold room was at eight degrees on Monday, and Karen called the technician.
B: The technician says the cold room has lost twelve degrees since Monday, and Karen wrote that down.
A: By Monday afternoon Karen had moved the milk and the cheese of both shops to the cellar next door, where it is eleven degrees all year.
B: If the technician does not find the leak by Friday, we rent a lorry with a cooler and sell what we can before the weekend, even at half of the usual price.
`),
    language: 'en',
  })
  expect(topics).toEqual(expect.arrayContaining(['Cold room', 'Technician']))
  expect(topics.join(' ')).not.toMatch(/karen|monday|degrees/i)
  const spanish = extract({
    turns: turnsOf(`
A: El lunes cerramos la biblioteca, porque el lunes viene poca gente a la biblioteca.
B: El sábado abrimos la biblioteca con voluntarios, y el sábado viene mucha gente.
`),
    language: 'es',
  })
  expect(spanish.topics.join(' ')).not.toMatch(/lunes|sábado/i)
})

test('an amount is no topic', () => {
  const { topics } = extract({
    turns: turnsOf(`
A: The granary behind the mill has three hundred square metres, and the miller pays for the granary himself.
B: The other barn has a hundred and eighty square metres, and the miller says that the barn needs a new roof before the winter.
A: A granary of two hundred square metres would do, if the barn had a gate on both sides for the carts of the farmers.
B: The miller wants the barn, because the granary has no gate at all and the carts of the farmers stop on the road.
`),
    language: 'en',
  })
  expect(topics).toContain('Granary')
  expect(topics.join(' ')).not.toMatch(/metres/i)
})

const choir = `
A: The choir has sung in the old hall for years, and last night the paper lamps over the stairs fell down.
B: The people who live next door want us to stop at nine, and I have no time for another letter.
A: The caretaker told the choir that the key is lost. A better key would help, but the caretaker has no money.
B: Next week the choir sings at the lake, in case the weather holds, and the caretaker brings his people along.
A: My sister paints the walls with her people, so there will be people on ladders and wet paint everywhere.
B: It is a question of people and of time, and in the end somebody will have the time.
`

test('what is said once, and an everyday word however often it is said, is no topic', () => {
  const { topics } = extract({ turns: turnsOf(choir), language: 'en' })
  expect(topics).toEqual(['Choir', 'Caretaker'])
  const named = turnsOf(choir).map((turn) => ({ ...turn, speaker: 'Hella Choir' }))
  // Who speaks stands beside every sentence.
  expect(extract({ turns: named, language: 'en' }).topics).toEqual(['Caretaker'])
})

test('a sentence that is said again makes nothing a topic, also where it is heard a little otherwise', () => {
  const again = `
A: The quick brown fox jumps over the lazy dog.
B: The quick brown fox jumped over that lazy dog.
A: A quick brown fox jumps over the lazy dogs.
`
  const { topics } = extract({ turns: turnsOf(choir + again.trim()), language: 'en' })
  expect(topics).toEqual(['Choir', 'Caretaker'])
})

test('a language whose common words are not known has topics that are said again', () => {
  const line = 'kuoro laulaa salissa ja kuoro maksaa vuokran'
  const others = Array.from({ length: 12 }, (_, at) => `sana${at} toinen${at} kolmas${at}`)
  const script = others.map((words, at) => `A: ${words} ${at % 4 === 0 ? line : ''} loppu${at}.`)
  expect(extract({ turns: turnsOf(script.join('\n')), language: 'fi' }).topics).toEqual([])
  const more = others.map((words, at) => `A: ${words} kuoro lauloi${at} kaupunki${at} talo${at}.`)
  expect(extract({ turns: turnsOf(more.join('\n')), language: 'fi' }).topics).toContain('Kuoro')
})

test('sentences of a conversation, and of misheard words, are not called a summary', () => {
  const kindOf = (script: string) => extract({ turns: turnsOf(script), language: 'en' }).kind
  expect([meeting, call, lecture].map(kindOf)).toEqual(['sentences', 'sentences', 'summary'])

  const turns = turnsOf(lecture).map((turn) => {
    const texts = turn.text.split(' ')
    const step = (turn.endMs - turn.startMs) / texts.length
    const words = texts.map((text, index) => ({
      text,
      startMs: turn.startMs + index * step,
      endMs: turn.startMs + (index + 1) * step,
      // Each eighth word is a guess, so hardly any long sentence is without one.
      confidence: index % 8 === 0 ? 0.3 : 0.95,
    }))
    return { ...turn, words }
  })
  const poor = extract({ turns, language: 'en' })
  expect(poor.kind).toBe('sentences')
  const guesses = turns.flatMap(({ words }) => words.filter((_, index) => index % 8 === 0))
  for (const sentence of [poor.text, ...poor.keyPoints.map(({ text }) => text)])
    for (const { text } of guesses.filter((one) => one.text.length > 8))
      expect(sentence.split(' ')).not.toContain(text)
})

test('only whole sentences of a talk are shown', () => {
  const halves = `
A: The new billing page of the shop is.
B: Because the payment provider and the checkout tests of
A: We have decided to move the launch of the billing page to the twenty fourth of March.
B: For the invoice archive of the storage team
A: I will move the invoice archive to the main storage before the launch.
B: If the newsletter for the billing page
A: And the launch of the billing page and the
B: The billing page launch and the newsletter are.
`
  const { kind, text, keyPoints } = extract({ turns: turnsOf(halves), language: 'en' })
  expect(kind).toBe('sentences')
  const shown = [text, ...keyPoints.map((point) => point.text)].join(' ')
  expect(shown).toContain('to the twenty fourth of March.')
  expect(shown).not.toMatch(/\b(?:is|are|of|the|team|page)\.(?:\s|$)/)
})

describe('of one voice', () => {
  const looking = `
A: So we had a, we had a long hunt for the fault in the clock of the ticket machine. The clock that syncs between the ticket machine and the gate in a you know, in the summarised table, and it was.
A: Well, my best guess is that it was the driver of the ticket machine, about if you, if the gate has two clocks and you say, gate,
A: And the ticket machine, it's like. I'm not having a fault at the moment. So what I'm having is.
`
  const { kind, text, keyPoints } = extract({ turns: turnsOf(looking), language: 'en' })

  test('pieces of sentences are neither a summary nor key points', () => {
    expect(kind).toBe('summary')
    expect(text).toContain('a long hunt for the fault in the clock of the ticket machine.')
    const shown = [text, ...keyPoints.map((point) => point.text)].join(' ')
    expect(shown).not.toMatch(/it was\.|you know|say, gate|like\.|having is/)
  })

  test('half a question is not an open one', () => {
    const { said } = gather({ turns: turnsOf(looking), language: 'en' })
    const half = said.filter((one) => one.isQuestion)
    expect(half.map((one) => [one.text, one.isComplete])).toEqual([
      [expect.stringContaining('having is.'), false],
    ])
  })

  test('a sentence can end with “sounds like”', () => {
    const known = 'A: This is what a large crocodile in the water of the river sounds like.'
    expect(extract({ turns: turnsOf(known), language: 'en' }).text).toMatch(/sounds like\.$/)
  })
})

describe('very little speech', () => {
  const said = (text: string) =>
    extract({ turns: [{ speaker: null, startMs: 0, endMs: 4000, text }], language: 'en' })

  test('an empty transcript has an empty summary', () => {
    const nothing = {
      text: '',
      keyPoints: [],
      decisions: [],
      actionItems: [],
      topics: [],
      kind: 'summary',
      doubt: null,
      guessed: 0,
      chapters: null,
    }
    expect(extract({ turns: [], language: 'en' })).toEqual(nothing)
    expect(said('')).toEqual(nothing)
    expect(said(' ... ')).toEqual(nothing)
  })

  test('one sentence is its own summary', () => {
    expect(said('The parcel from Berlin arrives on Monday.').text).toBe(
      'The parcel from Berlin arrives on Monday.',
    )
    expect(said('Yes.').text).toBe('Yes.')
  })

  test('a short note has one or two sentences', () => {
    const { text } = said(
      'Please call the dentist about the bill. The number on the bill is wrong. It should be eighty euros. Also water the plants on Friday.',
    )
    expect(sentenceCount(text)).toBeLessThanOrEqual(2)
  })
})

test('a passage begins where its first word was said', () => {
  const turn: WritingTurn = {
    speaker: null,
    startMs: 10_000,
    endMs: 30_000,
    text: 'Well. The harbour bridge will be closed for repairs until October.',
    words: 'Well The harbour bridge will be closed for repairs until October'
      .split(' ')
      .map((text, index) => ({
        text,
        startMs: index === 0 ? 10_000 : 20_000 + index * 500,
        endMs: index === 0 ? 10_300 : 20_400 + index * 500,
        confidence: null,
      })),
  }
  expect(gather({ turns: [turn], language: 'en' }).said[0]?.startMs).toBe(20_500)
})

describe('of any transcript', () => {
  const fits = (turns: readonly WritingTurn[], language: string) => {
    const { text, keyPoints, topics } = extract({ turns, language })
    const starts = keyPoints.map(({ turns: [turn = -1], quote }) => {
      const { text: said = '' } = turns[turn] ?? {}
      return turn * 1e6 + said.indexOf(quote!)
    })
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    for (const { turns: sources, quote, startMs, text: point } of keyPoints) {
      const turn = turns[sources[0]!]!
      expect(turn.text).toContain(quote)
      expect(startMs).toBeGreaterThanOrEqual(turn.startMs)
      expect(startMs).toBeLessThanOrEqual(turn.endMs)
      expect(point.trim()).not.toBe('')
    }
    expect(new Set(keyPoints.map((point) => point.text)).size).toBe(keyPoints.length)
    expect(keyPoints.length).toBeLessThanOrEqual(7)
    expect(new Set(topics).size).toBe(topics.length)
    expect(topics.length).toBeLessThanOrEqual(8)
    expect(text).toBe(text.trim())
  }

  test.each(Object.keys(all))('the quotes of the %s stand in their turns, in order', (name) => {
    fits(turnsOf(all[name as keyof typeof all]), languageOf(name))
  })

  test('the quotes of any transcript stand in their turns', () => {
    const words =
      `${Object.values(all).join(' ')} <script> 😀 e\u0301 i'm don't . ? ! , … 今日 は العربية İ`.split(
        /\s+/,
      )
    const speech = fc
      .array(fc.constantFrom(...words), { maxLength: 120 })
      .map((said) => said.join(' '))
    const noise = fc.string({ unit: 'binary', maxLength: 80 })
    const turn = fc
      .tuple(fc.oneof(speech, noise), fc.nat(60_000), fc.nat(60_000))
      .map(([text, startMs, length]) => ({ speaker: null, startMs, endMs: startMs + length, text }))
    fc.assert(
      fc.property(
        fc.array(turn, { maxLength: 6 }),
        fc.constantFrom('en', 'de', 'fr', 'zh', 'ja', 'ko', 'ar', 'ru', 'xx'),
        fits,
      ),
      { numRuns: 40 },
    )
  })

  test('an hour of speech has no longer a summary than can be read', () => {
    const hour = Array.from({ length: 9 }, () => [...turnsOf(meeting), ...turnsOf(lecture)]).flat()
    const { text, keyPoints } = extract({ turns: hour, language: 'en' })
    expect(sentenceCount(text)).toBeLessThanOrEqual(7)
    expect(keyPoints.length).toBeGreaterThanOrEqual(3)
  })
})
