import { describe, expect, test } from 'vitest'

import { dayOf, dueIn } from './due.ts'

/** A Sunday. */
const recordedOn = '2026-11-22'
/** A Thursday. */
const thursday = '2026-11-26'

test.each([
  ['en', 'by Friday', '2026-11-27'],
  ['en', 'tomorrow', '2026-11-23'],
  ['en', 'by the 14th of March', '2027-03-14'],
  ['en', 'on 2026-12-01', '2026-12-01'],
  ['en', 'by 14 March 2027', '2027-03-14'],
  ['en', 'by the end of the month', '2026-11-30'],
  ['en', 'by Wednesday week', '2026-12-02'],
  ['de', 'bis Freitag', '2026-11-27'],
  ['de', 'bis zum 1.12.2026', '2026-12-01'],
  ['fr', 'demain', '2026-11-23'],
  ['es', 'mañana', '2026-11-23'],
  ['it', 'domani', '2026-11-23'],
  ['nl', 'morgen', '2026-11-23'],
  ['pt', 'amanhã', '2026-11-23'],
])('%s: “%s” is %s', (language, due, day) => {
  expect(dayOf(due, { language, recordedOn })).toBe(day)
})

test.each([
  ['en', 'by next Friday'],
  ['en', 'last Friday'],
  // Said on a Sunday: today, or in a week.
  ['en', 'by Sunday'],
  ['en', 'on 3/4'],
  ['en', 'on 1/12/2026'],
  ['en', 'next week'],
  ['en', 'in two weeks'],
  ['en', 'in March'],
  ['en', 'by noon'],
  ['en', 'on Monday or Tuesday'],
  // Two days ago, and not in a year.
  ['en', 'on the 20th of November'],
  ['en', 'by 14 March 2025'],
  ['en', 'as soon as possible'],
  ['de', 'bis nächsten Freitag'],
  ['fr', 'vendredi prochain'],
  ['ja', '来週の金曜日'],
  ['xx', 'by Friday'],
])('%s: of “%s” the day is not sure', (language, due) => {
  expect(dayOf(due, { language, recordedOn })).toBeNull()
})

test('without the day of the recording no day is worked out from it', () => {
  expect(dayOf('by Friday', { language: 'en', recordedOn: undefined })).toBeNull()
  expect(dayOf('by the 3rd of December', { language: 'en', recordedOn: undefined })).toBeNull()
  expect(dueIn('I will send it by Friday.', { language: 'en', recordedOn: undefined })).toEqual({
    due: 'by Friday',
    dueDate: null,
  })
})

test('a day with its year needs no day of the recording', () => {
  const said = { language: 'en', recordedOn: undefined }
  expect(dayOf('by 14 March 2027', said)).toBe('2027-03-14')
  expect(dayOf('on 2026-12-01', said)).toBe('2026-12-01')
})

test.each([
  ["I'll send what we made last week by Friday.", 'by Friday'],
  ["I'll send Monday's report to everybody.", null],
  ['I will check what we sold last week.', null],
  ['I will call them before next Friday.', 'before next Friday'],
])('“%s” is due %s', (sentence, due) => {
  expect(dueIn(sentence, { language: 'en', recordedOn })?.due ?? null).toBe(due)
})

type Case = [sentence: string, due: string | null, dueDate?: string]

/** Sentences of a Thursday: the words for a deadline, its day, and whether the day is sure. */
const cases: Record<string, Case[]> = {
  en: [
    ['I will send it a week from Friday.', 'a week from Friday', '2026-12-04'],
    ['I will send it Friday week.', 'Friday week', '2026-12-04'],
    ['I will send it a week on Friday.', 'a week on Friday', '2026-12-04'],
    ['I will send it a week from tomorrow.', 'a week from tomorrow', '2026-12-04'],
    ['I will send it two weeks from Friday.', 'two weeks from Friday'],
    ['I will send it on the Friday after next.', 'on the Friday after next'],
    ['I will call on the Monday after Christmas.', 'on the Monday after Christmas', '2026-12-28'],
    ['I will call on the Monday after the fair.', 'on the Monday after the fair'],
    ['I will send it every Friday.', 'every Friday'],
    ['I will send it on Monday the 7th.', 'on Monday the 7th', '2026-12-07'],
    ['I will send it on Monday the 8th.', 'on Monday the 8th'],
    ['I will send it on Tuesday, December 1st.', 'on Tuesday, December 1st', '2026-12-01'],
    ['I will send it on Wednesday, December 1st.', 'on Wednesday, December 1st'],
    [
      'I will send it by Friday the 4th of December.',
      'by Friday the 4th of December',
      '2026-12-04',
    ],
    ['I will send it after Friday.', 'after Friday'],
    ['I will send it by Thursday.', 'by Thursday'],
    ['I will send it, but not by Friday.', 'not by Friday'],
    ['I will send it by the day before Friday.', 'by the day before Friday'],
    ['I will check the Monday report.', null],
    ['I will send the notes from Monday.', null],
    ['I will write down what we said on Monday.', null],
    ['I will send what the board decided yesterday, on Monday.', null],
    ['I will prepare the Black Friday plan.', null],
    ['I will get the Sat phone numbers.', null],
    ['I will send it by Good Friday.', null],
    ['I will talk to the Sunday Times.', null],
    ['I will send it by Friday.', 'by Friday', '2026-11-27'],
    ['I will send it Friday.', 'Friday', '2026-11-27'],
    ['I will send it on Friday morning, I promise.', 'on Friday morning', '2026-11-27'],
    ['I will send it by Friday at 5 pm.', 'by Friday at 5 pm', '2026-11-27'],
    ['I will send it by Friday at the latest.', 'by Friday', '2026-11-27'],
    ['I will send it by Friday so that you can read it.', 'by Friday', '2026-11-27'],
    ['I will send it by the end of Friday.', 'by the end of Friday', '2026-11-27'],
    ['I will send it this Friday.', 'this Friday', '2026-11-27'],
    ['I will send it this Monday.', null],
    ['I will send the list that Ben made by Friday.', 'by Friday', '2026-11-27'],
    ['I will send it today.', 'today', '2026-11-26'],
    ['I will not send it by Friday.', 'by Friday'],
    ["I can't send it by Friday.", 'by Friday'],
    ["I can't come today, but I'll send it by Friday.", 'by Friday', '2026-11-27'],
    ["Don't forget to send it by Friday.", 'by Friday', '2026-11-27'],
    ['I will finish it between Monday and Friday.', 'between Monday'],
    ['I will review the April 3 draft.', null],
  ],
  de: [
    ['Ich schicke es dir bis Freitag.', 'bis Freitag', '2026-11-27'],
    ['Ich werde bis Freitag die Liste schicken.', 'bis Freitag', '2026-11-27'],
    ['Ich schicke es dir am Montag, den 7.', 'am Montag, den 7.', '2026-12-07'],
    ['Ich schicke es am Freitag, dem 4. Dezember.', 'am Freitag, dem 4. Dezember', '2026-12-04'],
    ['Ich schicke es bis Mittwoch, 1. Dezember.', 'bis Mittwoch, 1. Dezember'],
    ['Ich schicke es Freitag in einer Woche.', 'Freitag in einer Woche', '2026-12-04'],
    ['Ich schicke es jeden Freitag.', 'jeden Freitag'],
    ['Ich schicke es nach Freitag.', 'nach Freitag'],
    ['Ich schicke es nicht bis Freitag.', 'nicht bis Freitag'],
    ['Ich schicke die Notizen vom Montag.', null],
    ['Ich werde die Liste am Freitag schicken.', 'am Freitag', '2026-11-27'],
    ['Ich schicke, was wir am Montag gesagt haben.', null],
    ['Ich schicke den Montagsbericht.', null],
    ['Ich schicke es am Morgen.', null],
    ['So, das mache ich.', null],
    ['Ich schicke es morgen früh.', 'morgen', '2026-11-27'],
    ['Ich kann es nicht bis Freitag schicken.', 'nicht bis Freitag'],
    ['Ich werde die Liste nicht am Freitag schicken.', 'nicht am Freitag'],
    ['Ich schicke keine Liste bis Freitag.', 'bis Freitag'],
    ['Ich bereite den Black Friday vor.', null],
  ],
  es: [
    ['Voy a enviarlo el viernes.', 'el viernes', '2026-11-27'],
    ['Voy a enviarlo mañana por la mañana.', 'mañana', '2026-11-27'],
    ['Voy a enviarlo por la mañana.', null],
    ['Voy a enviarlo el lunes 7.', 'el lunes 7', '2026-12-07'],
    ['Voy a enviarlo cada viernes.', 'cada viernes'],
    ['Voy a enviarlo los viernes.', 'los viernes'],
    ['Voy a enviarlo pasado mañana.', 'pasado mañana'],
    ['Voy a enviarlo después del viernes.', 'después del viernes'],
    ['Voy a enviarlo el miércoles 1 de diciembre.', 'el miércoles 1 de diciembre'],
    ['Voy a enviar las notas del lunes.', null],
    ['Voy a enviar lo que dijimos el lunes.', null],
    ['No voy a enviarlo el viernes.', 'el viernes'],
    ['Voy a enviarlo el viernes que viene.', 'el viernes que viene'],
    ['Voy a mirar el mar.', null],
    ['Voy a enviarlo el Viernes Santo.', null],
  ],
  fr: [
    ["Je vais l'envoyer vendredi.", 'vendredi', '2026-11-27'],
    ["Je vais l'envoyer avant vendredi.", 'avant vendredi', '2026-11-27'],
    ["Je vais l'envoyer lundi 7.", 'lundi 7', '2026-12-07'],
    ["Je vais l'envoyer vendredi en huit.", 'vendredi en huit', '2026-12-04'],
    ["Je vais l'envoyer après-demain.", 'après-demain'],
    ["Je vais l'envoyer après vendredi.", 'après vendredi'],
    ["Je vais l'envoyer chaque vendredi.", 'chaque vendredi'],
    ["Je vais l'envoyer pas avant vendredi.", 'pas avant vendredi'],
    ["Je vais l'envoyer mercredi 1er décembre.", null],
    ['Je vais envoyer les notes de lundi.', null],
    ['Je vais envoyer ce que nous avons dit lundi.', null],
    ["Je ne vais pas l'envoyer avant vendredi.", 'avant vendredi'],
    ["Je vais l'envoyer le lundi de Pâques.", null],
  ],
  it: [
    ['Devo mandarlo entro venerdì.', 'entro venerdì', '2026-11-27'],
    ['Devo mandarlo lunedì 7.', 'lunedì 7', '2026-12-07'],
    ['Devo mandarlo prima di venerdì.', 'prima di venerdì', '2026-11-27'],
    ['Devo mandarlo ogni venerdì.', 'ogni venerdì'],
    ['Devo mandarlo dopo venerdì.', 'dopo venerdì'],
    ['Devo mandarlo non prima di venerdì.', 'non prima di venerdì'],
    ['Devo mandarlo entro mercoledì 1 dicembre.', 'entro mercoledì 1 dicembre'],
    ['Devo mandare le note di lunedì.', null],
    ['Devo mandare quello che abbiamo detto lunedì.', null],
    ['Devo preparare il mar.', null],
    ['Non devo mandarlo entro venerdì.', 'entro venerdì'],
    ['Devo fare una domanda.', null],
  ],
  pt: [
    ['Vou enviar até sexta-feira.', 'até sexta-feira', '2026-11-27'],
    ['Vou enviar até sexta.', 'até sexta', '2026-11-27'],
    ['Vou enviar na segunda-feira dia 7.', 'segunda-feira dia 7', '2026-12-07'],
    ['Vou enviar a segunda parte.', null],
    ['Vou enviar na sexta vez.', null],
    ['Vou enviar depois de amanhã.', 'depois de amanhã'],
    ['Vou enviar depois de sexta-feira.', 'depois de sexta-feira'],
    ['Vou enviar toda sexta-feira.', 'toda sexta-feira'],
    ['Vou enviar até quarta-feira, 1 de dezembro.', 'até quarta-feira, 1 de dezembro'],
    ['Vou enviar as notas de segunda-feira.', null],
    ['Vou enviar o que dissemos na segunda-feira.', null],
    ['Não vou enviar até sexta-feira.', 'até sexta-feira'],
    ['Vou enviar na Sexta-feira Santa.', null],
  ],
  nl: [
    ['Ik zal het voor vrijdag sturen.', 'voor vrijdag', '2026-11-27'],
    ['Ik zal het op maandag de 7e sturen.', 'op maandag de 7e', '2026-12-07'],
    ['Ik zal het vrijdag over een week sturen.', 'vrijdag over een week', '2026-12-04'],
    ['Ik zal het elke vrijdag sturen.', 'elke vrijdag'],
    ['Ik zal het na vrijdag sturen.', 'na vrijdag'],
    ['Ik zal het niet voor vrijdag sturen.', 'niet voor vrijdag'],
    ['Ik zal het op woensdag 1 december sturen.', 'op woensdag 1 december'],
    ['Ik zal de notities van maandag sturen.', null],
    ['Ik zal sturen wat we op maandag zeiden.', null],
    ['Ik zal het in de morgen sturen.', null],
    ['Ik zal het morgen sturen.', 'morgen', '2026-11-27'],
    ['Ik zal de lijst niet voor vrijdag sturen.', 'niet voor vrijdag'],
    ['Ik zal geen lijst voor vrijdag sturen.', 'voor vrijdag'],
    ['Ik zal het zo sturen.', null],
    ['Ik zal de maandagvergadering plannen.', null],
  ],
  ru: [
    ['Я отправлю это в пятницу.', 'пятницу', '2026-11-27'],
    ['Я отправлю это до пятницы.', 'пятницы', '2026-11-27'],
    ['Я отправлю это завтра.', 'завтра', '2026-11-27'],
    ['Я отправлю это в понедельник 7-го.', 'понедельник 7-го', '2026-12-07'],
    ['Я отправлю это каждую пятницу.', 'каждую пятницу'],
    ['Я отправлю это после пятницы.', 'после пятницы'],
    ['Я отправлю это не в пятницу.', 'не в пятницу'],
    ['Я отправлю это в среду, 1 декабря.', null],
    ['Я проверю, какая окружающая среда.', null],
    ['Я проверю среду разработки.', null],
    ['Я отправлю отчёт за пятницу.', null],
  ],
  zh: [
    ['我星期五之前发给你。', '星期五', '2026-11-27'],
    ['我周五发给你。', '周五', '2026-11-27'],
    ['我本周五发给你。', '本周五', '2026-11-27'],
    ['我明天发给你。', '明天', '2026-11-27'],
    ['我每周五发给你。', '每周五'],
    ['我周五之后发给你。', '周五之后'],
    ['我发下周五。', null],
    ['我准备周五的会议。', null],
    ['我写一周日程。', null],
  ],
  ja: [
    ['金曜日までに送ります。', '金曜日', '2026-11-27'],
    ['今週の金曜日に送ります。', '今週の金曜日', '2026-11-27'],
    ['明日送ります。', '明日', '2026-11-27'],
    ['毎週金曜日に送ります。', '毎週金曜日'],
    ['金曜日以降に送ります。', '金曜日以降'],
    ['来週の金曜日に送ります。', null],
    ['金曜日の会議を準備します。', null],
    ['明日の会議を準備します。', null],
  ],
}

describe.each(Object.keys(cases))('%s: words beside a day', (language) => {
  test.each(cases[language]!)('“%s” is due %s, %s', (sentence, due, dueDate) => {
    const found = dueIn(sentence, { language, recordedOn: thursday })
    expect([found?.due ?? null, found?.dueDate ?? null]).toEqual([due, dueDate ?? null])
  })
})

test('words in a long text mean what they mean in their sentence', () => {
  const long = 'and then we talked about it '.repeat(60)
  const said = { language: 'en', recordedOn: thursday }
  expect(dayOf('by Friday', { ...said, within: `${long} I will send it by Friday. ${long}` })).toBe(
    '2026-11-27',
  )
})

test('words that go on and on are read in a moment, and mean no day', () => {
  const said = { recordedOn: thursday }
  const on = (one: string) => one.repeat(20_000 / one.length)
  expect(dayOf('on Friday', { ...said, language: 'en', within: on('On Friday. ') })).toBeNull()
  expect(dayOf('金曜日', { ...said, language: 'ja', within: on('金曜日') })).toBeNull()
})

const told = Object.entries(cases).flatMap(([language, all]) =>
  all.flatMap(([sentence, due, day]) =>
    due === null ? [] : [[language, due, sentence, day] as const],
  ),
)

test.each(told)('%s: “%s” of “%s” is %s, asked for alone', (language, due, within, day) => {
  expect(dayOf(due, { language, recordedOn: thursday, within })).toBe(day ?? null)
})

test.each([
  ['Friday', 'I will send it a week from Friday.', '2026-12-04'],
  ['Friday', 'Send it by Friday. The Monday report is late.', '2026-11-27'],
  ['Friday', 'We need the Black Friday plan.', null],
  ['by Friday', 'Not by Friday.', null],
  ['Friday', 'By Friday. Yes, Friday.', '2026-11-27'],
  ['Friday', 'On Friday, or the Friday after next.', null],
  ['Monday', 'I am off on Monday the 7th.', '2026-12-07'],
  ['金曜日', '金曜日の会議を準備します。', null],
])('of “%s” in “%s” the day is %s', (due, within, day) => {
  const language = /\p{Script=Han}/u.test(within) ? 'ja' : 'en'
  expect(dayOf(due, { language, recordedOn: thursday, within })).toBe(day)
})
