import { describe, expect, test } from 'vitest'

import { type Fault, comparerOf, isTranslatedSo } from './comparing.ts'
import { proverOf } from './proof.ts'

/** A sentence, the words it cites, and the first thing that differs. */
type Case = [fault: Fault | null, sentence: string, quote: string]

interface Meeting {
  said: [speaker: string, text: string][]
  cases: Case[]
}

const meetings: Record<string, Meeting> = {
  en: {
    said: [
      ['Ada', 'We have 48 members who paid and 17 who have not paid.'],
      ['Ben', 'Then we should sell the boat. It costs us four hundred euros a month.'],
      ['Cleo', 'I do not think we should sell the boat.'],
      ['Ada', 'Ben, can you call the harbour by Thursday?'],
      ['Ben', 'Yes, I will call them by Thursday.'],
      ['Ada', 'I am against a new loan. If the rent rises, we talk to the bank.'],
      ['Cleo', 'I could paint the shed at half past nine.'],
      ['Ada', 'Do that, please. The party is on the third of May.'],
      ['Ben', 'A boat is dearer than a shed, I would say.'],
    ],
    cases: [
      [null, '48 members have paid.', 'We have 48 members who paid'],
      ['value', '17 members have paid.', 'We have 48 members who paid'],
      // An opposite is denied as a "not" is; both together say the same.
      ['denied', 'The boat is cheaper than a shed.', 'A boat is dearer than a shed'],
      [null, 'A boat is not cheaper than a shed.', 'A boat is dearer than a shed'],
      [null, 'The boat costs €400 a month.', 'It costs us four hundred euros a month'],
      ['value', 'The boat costs €500 a month.', 'It costs us four hundred euros a month'],
      ['value', 'The boat costs 400 pounds a month.', 'It costs us four hundred euros a month'],
      [null, 'Ben suggests selling the boat.', 'Then we should sell the boat'],
      ['surer', 'It was decided to sell the boat.', 'Then we should sell the boat'],
      ['surer', 'The boat will be sold.', 'Then we should sell the boat'],
      [null, 'Cleo does not want to sell the boat.', 'I do not think we should sell the boat'],
      ['denied', 'Cleo wants to sell the boat.', 'I do not think we should sell the boat'],
      [null, 'Ben will call the harbour by Thursday.', 'Yes, I will call them by Thursday'],
      [null, 'Ada asked Ben to call the harbour.', 'can you call the harbour by Thursday'],
      ['day', 'Ben will call the harbour by Friday.', 'Yes, I will call them by Thursday'],
      ['speaker', 'Cleo will call the harbour by Thursday.', 'Yes, I will call them by Thursday'],
      ['speaker', 'Ada will call the harbour by Thursday.', 'can you call the harbour by Thursday'],
      [null, 'Ada does not want a new loan.', 'I am against a new loan'],
      ['denied', 'Ada is in favour of a new loan.', 'I am against a new loan'],
      ['speaker', 'Ada and Ben are against a new loan.', 'I am against a new loan'],
      [null, 'If the rent rises, they talk to the bank.', 'If the rent rises, we talk to the bank'],
      [
        'surer',
        'The rent rises and they talk to the bank.',
        'If the rent rises, we talk to the bank',
      ],
      // Somebody said: "Do that."
      [null, 'Cleo will paint the shed at 9:30.', 'I could paint the shed at half past nine'],
      ['value', 'Cleo will paint the shed at 9:45.', 'I could paint the shed at half past nine'],
      [null, 'The party is on 3 May.', 'The party is on the third of May'],
      ['day', 'The party is on 3 June.', 'The party is on the third of May'],
      [
        'not-said',
        'The party was a great success for the club.',
        'The party is on the third of May',
      ],
      ['cause', 'The party is in May because of the weather.', 'The party is on the third of May'],
    ],
  },
  de: {
    said: [
      ['Ada', 'Wir haben 48 Mitglieder, die bezahlt haben, und 17, die nicht bezahlt haben.'],
      ['Ben', 'Dann sollten wir das Boot verkaufen. Es kostet vierhundert Euro im Monat.'],
      ['Cleo', 'Ich bin dagegen, das Boot zu verkaufen.'],
      ['Ada', 'Ben, kannst du den Hafen bis Donnerstag anrufen?'],
      ['Ben', 'Ja, ich werde ihn bis Donnerstag anrufen.'],
      ['Ada', 'Ich will keinen neuen Kredit. Falls die Miete steigt, reden wir mit der Bank.'],
      ['Cleo', 'Das Fest ist am dritten Mai um halb zehn.'],
    ],
    cases: [
      [null, '48 Mitglieder haben bezahlt.', 'Wir haben 48 Mitglieder, die bezahlt haben'],
      ['value', '17 Mitglieder haben bezahlt.', 'Wir haben 48 Mitglieder, die bezahlt haben'],
      [null, 'Das Boot kostet 400 Euro im Monat.', 'Es kostet vierhundert Euro im Monat'],
      ['value', 'Das Boot kostet 4000 Euro im Monat.', 'Es kostet vierhundert Euro im Monat'],
      [null, 'Ben schlägt vor, das Boot zu verkaufen.', 'Dann sollten wir das Boot verkaufen'],
      [
        'surer',
        'Es wurde beschlossen, das Boot zu verkaufen.',
        'Dann sollten wir das Boot verkaufen',
      ],
      [null, 'Cleo lehnt es ab, das Boot zu verkaufen.', 'Ich bin dagegen, das Boot zu verkaufen'],
      ['denied', 'Cleo will das Boot verkaufen.', 'Ich bin dagegen, das Boot zu verkaufen'],
      [null, 'Ben ruft den Hafen bis Donnerstag an.', 'Ja, ich werde ihn bis Donnerstag anrufen'],
      ['day', 'Ben ruft den Hafen bis Freitag an.', 'Ja, ich werde ihn bis Donnerstag anrufen'],
      [
        'speaker',
        'Cleo ruft den Hafen bis Donnerstag an.',
        'Ja, ich werde ihn bis Donnerstag anrufen',
      ],
      [null, 'Ada möchte keinen neuen Kredit.', 'Ich will keinen neuen Kredit'],
      ['denied', 'Ada möchte einen neuen Kredit.', 'Ich will keinen neuen Kredit'],
      [
        null,
        'Falls die Miete steigt, reden sie mit der Bank.',
        'Falls die Miete steigt, reden wir',
      ],
      [
        'surer',
        'Die Miete steigt, und sie reden mit der Bank.',
        'Falls die Miete steigt, reden wir',
      ],
      [null, 'Das Fest ist am 3. Mai um 9:30 Uhr.', 'Das Fest ist am dritten Mai'],
      ['day', 'Das Fest ist am 3. Juni um 9:30 Uhr.', 'Das Fest ist am dritten Mai'],
      ['not-said', 'Das Fest war ein großer Erfolg für den Verein.', 'Das Fest ist am dritten Mai'],
    ],
  },
  fr: {
    said: [
      ['Ada', 'Nous avons 48 membres qui ont payé et 17 qui n’ont pas payé.'],
      ['Ben', 'Alors on devrait vendre le bateau. Il coûte quatre cents euros par mois.'],
      ['Cléo', 'Je suis contre la vente du bateau.'],
      ['Ada', 'Ben, peux-tu appeler le port avant jeudi ?'],
      ['Ben', 'Oui, je vais les appeler avant jeudi.'],
      ['Ada', 'Je ne veux pas de nouveau crédit. Si le loyer augmente, on parle à la banque.'],
      ['Cléo', 'La fête est le trois mai à neuf heures et demie.'],
    ],
    cases: [
      [null, '48 membres ont payé.', 'Nous avons 48 membres qui ont payé'],
      ['value', '17 membres ont payé.', 'Nous avons 48 membres qui ont payé'],
      [null, 'Le bateau coûte 400 euros par mois.', 'Il coûte quatre cents euros par mois'],
      ['value', 'Le bateau coûte 40 euros par mois.', 'Il coûte quatre cents euros par mois'],
      [null, 'Ben propose de vendre le bateau.', 'Alors on devrait vendre le bateau'],
      [
        'surer',
        'La vente du bateau a été décidée, on va vendre le bateau.',
        'Alors on devrait vendre le bateau',
      ],
      [null, 'Cléo refuse la vente du bateau.', 'Je suis contre la vente du bateau'],
      ['denied', 'Cléo souhaite la vente du bateau.', 'Je suis contre la vente du bateau'],
      [null, 'Ben va appeler le port avant jeudi.', 'Oui, je vais les appeler avant jeudi'],
      ['day', 'Ben va appeler le port avant vendredi.', 'Oui, je vais les appeler avant jeudi'],
      ['speaker', 'Cléo va appeler le port avant jeudi.', 'Oui, je vais les appeler avant jeudi'],
      [null, 'Ada refuse un nouveau crédit.', 'Je ne veux pas de nouveau crédit'],
      ['denied', 'Ada demande un nouveau crédit.', 'Je ne veux pas de nouveau crédit'],
      [
        'surer',
        'Le loyer augmente, on parle à la banque.',
        'Si le loyer augmente, on parle à la banque',
      ],
      [null, 'La fête est le 3 mai à 9 h 30.', 'La fête est le trois mai'],
      ['day', 'La fête est le 3 juin à 9 h 30.', 'La fête est le trois mai'],
      ['not-said', 'La fête fut un grand succès pour le club.', 'La fête est le trois mai'],
    ],
  },
  es: {
    said: [
      ['Ada', 'Tenemos 48 socios que pagaron y 17 que no pagaron.'],
      ['Ben', 'Entonces deberíamos vender el barco. Cuesta cuatrocientos euros al mes.'],
      ['Cleo', 'Estoy en contra de vender el barco.'],
      ['Ada', 'Ben, ¿puedes llamar al puerto antes del jueves?'],
      ['Ben', 'Sí, voy a llamarlos antes del jueves.'],
      ['Ada', 'No quiero otro préstamo. Si sube el alquiler, hablamos con el banco.'],
      ['Cleo', 'La fiesta es el tres de mayo a las nueve y media.'],
    ],
    cases: [
      [null, '48 socios pagaron.', 'Tenemos 48 socios que pagaron'],
      ['value', '17 socios pagaron.', 'Tenemos 48 socios que pagaron'],
      [null, 'El barco cuesta 400 euros al mes.', 'Cuesta cuatrocientos euros al mes'],
      ['value', 'El barco cuesta 40 euros al mes.', 'Cuesta cuatrocientos euros al mes'],
      [null, 'Ben propone vender el barco.', 'Entonces deberíamos vender el barco'],
      ['surer', 'Se decidió vender el barco y ya se vende.', 'Entonces deberíamos vender el barco'],
      [null, 'Cleo no quiere vender el barco.', 'Estoy en contra de vender el barco'],
      ['denied', 'Cleo quiere vender el barco.', 'Estoy en contra de vender el barco'],
      [null, 'Ben llamará al puerto antes del jueves.', 'Sí, voy a llamarlos antes del jueves'],
      ['day', 'Ben llamará al puerto antes del viernes.', 'Sí, voy a llamarlos antes del jueves'],
      [
        'speaker',
        'Cleo llamará al puerto antes del jueves.',
        'Sí, voy a llamarlos antes del jueves',
      ],
      [null, 'Ada rechaza otro préstamo.', 'No quiero otro préstamo'],
      ['denied', 'Ada quiere otro préstamo.', 'No quiero otro préstamo'],
      [
        'surer',
        'Sube el alquiler y hablan con el banco.',
        'Si sube el alquiler, hablamos con el banco',
      ],
      [null, 'La fiesta es el 3 de mayo a las 9:30.', 'La fiesta es el tres de mayo'],
      ['day', 'La fiesta es el 3 de junio a las 9:30.', 'La fiesta es el tres de mayo'],
      ['not-said', 'La fiesta fue un gran éxito para el club.', 'La fiesta es el tres de mayo'],
    ],
  },
  ja: {
    said: [
      ['田中', '会費を払った会員は四十八人です。'],
      ['鈴木', 'それなら船を売るべきです。維持費は月に四百ユーロです。'],
      ['佐藤', '私は船を売ることに反対です。'],
      ['田中', '鈴木さん、木曜日までに港に電話してくれますか。'],
      ['鈴木', 'はい、木曜日までに電話します。'],
      ['田中', '新しい融資は要りません。もし家賃が上がれば、銀行に相談します。'],
      ['佐藤', '祭りは五月三日の九時半です。'],
    ],
    cases: [
      [null, '会費を払った会員は48人だ。', '会費を払った会員は四十八人です'],
      ['value', '会費を払った会員は84人だ。', '会費を払った会員は四十八人です'],
      [null, '維持費は月に400ユーロである。', '維持費は月に四百ユーロです'],
      [null, '鈴木は船を売ることを提案した。', 'それなら船を売るべきです'],
      ['surer', '船を売ることが決まった。', 'それなら船を売るべきです'],
      [null, '佐藤は船を売りたくない。', '私は船を売ることに反対です'],
      ['denied', '佐藤は船を売りたい。', '私は船を売ることに反対です'],
      [null, '鈴木は木曜日までに港に電話する。', 'はい、木曜日までに電話します'],
      ['day', '鈴木は金曜日までに港に電話する。', 'はい、木曜日までに電話します'],
      ['speaker', '佐藤は木曜日までに港に電話する。', 'はい、木曜日までに電話します'],
      ['denied', '田中は新しい融資を求めている。', '新しい融資は要りません'],
      ['surer', '家賃が上がり、銀行に相談する。', 'もし家賃が上がれば、銀行に相談します'],
      [null, '祭りは5月3日の9時半に始まる。', '祭りは五月三日の九時半です'],
      ['day', '祭りは6月3日の9時半に始まる。', '祭りは五月三日の九時半です'],
    ],
  },
  it: {
    said: [
      ['Ben', 'Allora dovremmo vendere la barca. Costa quattrocento euro al mese.'],
      ['Cleo', 'Sono contro la vendita della barca.'],
      ['Ada', 'Ben, puoi chiamare il porto entro giovedì?'],
      ['Ben', 'Sì, vado a chiamarli entro giovedì.'],
      ['Ada', 'Non voglio un nuovo prestito. Se sale l’affitto, parliamo con la banca.'],
    ],
    cases: [
      [null, 'La barca costa 400 euro al mese.', 'Costa quattrocento euro al mese'],
      ['value', 'La barca costa 40 euro al mese.', 'Costa quattrocento euro al mese'],
      [null, 'Ben propone di vendere la barca.', 'Allora dovremmo vendere la barca'],
      ['surer', 'È stato deciso di vendere la barca.', 'Allora dovremmo vendere la barca'],
      [null, 'Cleo rifiuta la vendita della barca.', 'Sono contro la vendita della barca'],
      ['denied', 'Cleo vuole la vendita della barca.', 'Sono contro la vendita della barca'],
      ['day', 'Ben chiama il porto entro venerdì.', 'Sì, vado a chiamarli entro giovedì'],
      ['speaker', 'Cleo chiama il porto entro giovedì.', 'Sì, vado a chiamarli entro giovedì'],
      ['denied', 'Ada vuole un nuovo prestito.', 'Non voglio un nuovo prestito'],
      [
        'surer',
        'Sale l’affitto e parlano con la banca.',
        'Se sale l’affitto, parliamo con la banca',
      ],
    ],
  },
  pt: {
    said: [
      ['Ben', 'Então deveríamos vender o barco. Custa quatrocentos euros por mês.'],
      ['Cleo', 'Sou contra a venda do barco.'],
      ['Ada', 'Ben, podes ligar para o porto até quinta-feira?'],
      ['Ben', 'Sim, vou ligar para eles até quinta.'],
      ['Ada', 'Não quero outro empréstimo. Se a renda subir, falamos com o banco.'],
    ],
    cases: [
      [null, 'O barco custa 400 euros por mês.', 'Custa quatrocentos euros por mês'],
      ['value', 'O barco custa 40 euros por mês.', 'Custa quatrocentos euros por mês'],
      [null, 'Ben propõe vender o barco.', 'Então deveríamos vender o barco'],
      ['surer', 'Foi decidido vender o barco.', 'Então deveríamos vender o barco'],
      ['denied', 'Cleo quer a venda do barco.', 'Sou contra a venda do barco'],
      [null, 'Ben liga para o porto até quinta-feira.', 'Sim, vou ligar para eles até quinta'],
      ['day', 'Ben liga para o porto até sexta-feira.', 'Sim, vou ligar para eles até quinta'],
      [
        'speaker',
        'Cleo liga para o porto até quinta-feira.',
        'Sim, vou ligar para eles até quinta',
      ],
      ['denied', 'Ada quer outro empréstimo.', 'Não quero outro empréstimo'],
    ],
  },
  nl: {
    said: [
      ['Ben', 'Dan zouden we de boot moeten verkopen. Hij kost vierhonderd euro per maand.'],
      ['Cleo', 'Ik ben tegen de verkoop van de boot.'],
      ['Ada', 'Ben, kun je voor donderdag de haven bellen?'],
      ['Ben', 'Ja, ik zal ze voor donderdag bellen.'],
      ['Ada', 'Ik wil geen nieuwe lening. Als de huur stijgt, praten we met de bank.'],
    ],
    cases: [
      [null, 'De boot kost 400 euro per maand.', 'Hij kost vierhonderd euro per maand'],
      ['value', 'De boot kost 500 euro per maand.', 'Hij kost vierhonderd euro per maand'],
      [null, 'Ben stelt voor de boot te verkopen.', 'Dan zouden we de boot moeten verkopen'],
      ['surer', 'Er is besloten de boot te verkopen.', 'Dan zouden we de boot moeten verkopen'],
      [null, 'Cleo wil de verkoop van de boot niet.', 'Ik ben tegen de verkoop van de boot'],
      ['denied', 'Cleo wil de verkoop van de boot.', 'Ik ben tegen de verkoop van de boot'],
      ['day', 'Ben belt de haven voor vrijdag.', 'Ja, ik zal ze voor donderdag bellen'],
      ['speaker', 'Cleo belt de haven voor donderdag.', 'Ja, ik zal ze voor donderdag bellen'],
      ['denied', 'Ada wil een nieuwe lening.', 'Ik wil geen nieuwe lening'],
    ],
  },
  ru: {
    said: [
      ['Борис', 'Тогда следует продать лодку. Она стоит четыреста евро в месяц.'],
      ['Вера', 'Я против продажи лодки.'],
      ['Анна', 'Я не хочу нового кредита. Если аренда вырастет, поговорим с банком.'],
    ],
    cases: [
      [null, 'Лодка стоит 400 евро в месяц.', 'Она стоит четыреста евро в месяц'],
      ['value', 'Лодка стоит 500 евро в месяц.', 'Она стоит четыреста евро в месяц'],
      [null, 'Борис предлагает продать лодку.', 'Тогда следует продать лодку'],
      ['surer', 'Решили продать лодку.', 'Тогда следует продать лодку'],
      [null, 'Вера не хочет продажи лодки.', 'Я против продажи лодки'],
      ['denied', 'Вера хочет продажи лодки.', 'Я против продажи лодки'],
      ['speaker', 'Борис против продажи лодки.', 'Я против продажи лодки'],
      ['denied', 'Анна хочет нового кредита.', 'Я не хочу нового кредита'],
    ],
  },
  zh: {
    said: [
      ['李明', '那我们应该把船卖掉。每个月的费用是四百欧元。'],
      ['王芳', '我反对把船卖给别人。'],
      ['张伟', '我们星期四开会。'],
    ],
    cases: [
      [null, '每个月的费用是400欧元。', '每个月的费用是四百欧元'],
      ['value', '每个月的费用是500欧元。', '每个月的费用是四百欧元'],
      [null, '李明建议把船卖掉。', '那我们应该把船卖掉'],
      ['surer', '大家决定把船卖掉。', '那我们应该把船卖掉'],
      ['denied', '王芳主张把船卖给别人。', '我反对把船卖给别人'],
      ['speaker', '李明反对把船卖给别人。', '我反对把船卖给别人'],
      ['day', '他们星期五开会。', '我们星期四开会'],
    ],
  },
  ko: {
    said: [
      ['민수', '그러면 배를 팔면 좋겠습니다. 비용은 한 달에 사백 유로입니다.'],
      ['영희', '저는 배를 파는 것에 반대합니다.'],
      ['철수', '우리는 목요일에 회의를 합니다.'],
    ],
    cases: [
      [null, '비용은 한 달에 400유로이다.', '비용은 한 달에 사백 유로입니다'],
      ['value', '비용은 한 달에 500유로이다.', '비용은 한 달에 사백 유로입니다'],
      ['denied', '영희는 배를 파는 것을 원한다.', '저는 배를 파는 것에 반대합니다'],
      ['day', '그들은 금요일에 회의를 한다.', '우리는 목요일에 회의를 합니다'],
    ],
  },
  ar: {
    said: [
      ['سارة', 'ينبغي بيع القارب. يكلف أربعمئة يورو في الشهر.'],
      ['عمر', 'لا أريد قرضا جديدا من البنك.'],
    ],
    cases: [
      [null, 'يكلف القارب 400 يورو في الشهر.', 'يكلف أربعمئة يورو في الشهر'],
      ['value', 'يكلف القارب 500 يورو في الشهر.', 'يكلف أربعمئة يورو في الشهر'],
      [null, 'تقترح سارة بيع القارب.', 'ينبغي بيع القارب'],
      ['surer', 'تقرر بيع القارب.', 'ينبغي بيع القارب'],
      ['denied', 'يريد عمر قرضا جديدا من البنك.', 'لا أريد قرضا جديدا من البنك'],
    ],
  },
}

const turnsOf = ({ said }: Meeting) =>
  said.map(([speaker, text], at) => ({
    speaker,
    startMs: at * 6_000,
    endMs: at * 6_000 + 5_500,
    text,
  }))

describe.each(Object.entries(meetings))('%s', (language, meeting) => {
  test.each(meeting.cases)(
    'a sentence is proven by what was said, and by nothing less (%s): %s',
    (fault, sentence, quote) => {
      const turns = turnsOf(meeting)
      const source = proverOf(turns).find(quote, [])
      expect(source).not.toBeNull()
      const { faultIn } = comparerOf({ turns, spoken: language, written: language })
      expect(faultIn(sentence, { source: source! })).toBe(fault)
    },
  )
})

test.each<[Fault | null, string, string]>([
  [null, 'Ben ruft den Hafen bis Donnerstag an.', 'Yes, I will call them by Thursday'],
  ['day', 'Ben ruft den Hafen bis Freitag an.', 'Yes, I will call them by Thursday'],
  ['speaker', 'Cleo ruft den Hafen bis Donnerstag an.', 'Yes, I will call them by Thursday'],
  [null, 'Cleo will das Boot nicht verkaufen.', 'I do not think we should sell the boat'],
  ['denied', 'Cleo will das Boot verkaufen.', 'I do not think we should sell the boat'],
  ['surer', 'Das Boot wird verkauft.', 'Then we should sell the boat'],
  ['value', 'Das Boot kostet 500 Euro im Monat.', 'It costs us four hundred euros a month'],
])('in another language, what can be compared is (%s): %s', (fault, sentence, quote) => {
  const turns = turnsOf(meetings.en!)
  const source = proverOf(turns).find(quote, [])!
  const { faultIn } = comparerOf({ turns, spoken: 'en', written: 'de' })
  expect(faultIn(sentence, { source })).toBe(fault)
})

test('a language without words of its own is compared by its values and days alone', () => {
  const turns = turnsOf({
    said: [['Ada', 'Jag vill inte ha ett nytt lån på 400 euro före måndag.']],
    cases: [],
  })
  const source = proverOf(turns).find('Jag vill inte ha ett nytt lån', [])!
  const { faultIn, hasWords } = comparerOf({ turns, spoken: 'sv', written: 'sv' })
  expect(hasWords).toBe(false)
  expect(faultIn('Ada vill ha ett nytt lån på 400 euro.', { source })).toBeNull()
  expect(faultIn('Ada vill ha ett nytt lån på 500 euro.', { source })).toBe('value')
  expect(faultIn('Ada vill ha ett nytt lån före tisdag.', { source })).toBe('day')
})

test.each([
  [
    'The south side of the roof is done before winter.',
    'the north side is done before winter',
    'denied',
  ],
  [
    'The north side of the roof is done after winter.',
    'the north side is done before winter',
    'denied',
  ],
  [
    'The north side of the roof is done before winter.',
    'the north side is done before winter',
    null,
  ],
  [
    'The new lamp uses twice the power of the old one.',
    'it uses half the power of the old one',
    'denied',
  ],
  [
    'The new lamp uses half the power of the old one.',
    'it uses half the power of the old one',
    null,
  ],
])('an opposite is seen beside a turn that has other words of it: %s', (sentence, quote, fault) => {
  const turns = turnsOf({
    said: [
      ['Ada', 'Did the builder look at the roof, and at the new lamp?'],
      ['Ben', 'She says the north side is done before winter.'],
      ['Ben', 'And it uses half the power of the old one.'],
    ],
    cases: [],
  })
  const source = proverOf(turns).find(quote, [])!
  expect(comparerOf({ turns, spoken: 'en', written: 'en' }).faultIn(sentence, { source })).toBe(
    fault,
  )
})

test.each([
  ['en', 'The market blocks the gate until two.', 'The market blocks the gate from two.'],
  ['en', 'The hall costs 1,400 euros a month.', 'The hall costs 1,400 euros a year.'],
  ['en', 'The acid evaporates above thirty degrees.', 'The acid evaporates below thirty degrees.'],
  ['en', 'The battery was dropped twice.', 'The battery was dropped once.'],
  ['en', 'Nearly half of the bees are threatened.', 'All of the bees are threatened.'],
  ['en', 'The readers cost 190 euros each.', 'The readers cost 190 euros together.'],
  ['de', 'Der Saal ist bis März vermietet.', 'Der Saal ist ab März vermietet.'],
  ['de', 'Der Saal kostet 400 Euro im Monat.', 'Der Saal kostet 400 Euro im Jahr.'],
  ['es', 'La sala está cerrada hasta marzo.', 'La sala está cerrada desde marzo.'],
  ['es', 'La sala cuesta 400 euros al mes.', 'La sala cuesta 400 euros al año.'],
  ['fr', 'La salle est louée jusqu’en mars.', 'La salle est louée depuis mars.'],
  ['fr', 'La salle coûte 400 euros par mois.', 'La salle coûte 400 euros par an.'],
])('%s: “%s” does not prove: %s', (code, said, lie) => {
  const turns = turnsOf({ said: [['Ada', `${said.slice(0, -1)}, Ben.`]], cases: [] })
  const source = proverOf(turns).find(said, [])!
  const { faultIn } = comparerOf({ turns, spoken: code, written: code })
  expect([faultIn(said, { source }), faultIn(lie, { source })]).toEqual([null, 'denied'])
})

test.each([
  [null, 'The choir sings on Tuesday.'],
  ['day', 'The choir sings on Monday.'],
  [null, 'The hall is free on Monday.'],
  ['day', 'The hall is free on Tuesday.'],
  [null, 'The hall is free on Monday and the choir sings on Tuesday.'],
])('a day is told of what it was said of (%s): %s', (fault, sentence) => {
  const said = 'The hall is free on Monday, but the choir sings on Tuesday.'
  const turns = turnsOf({ said: [['Ada', said]], cases: [] })
  const source = proverOf(turns).find(said, [])!
  const { faultIn } = comparerOf({ turns, spoken: 'en', written: 'en' })
  expect(faultIn(sentence, { source })).toBe(fault)
})

const task = (text: string, quote: string) => {
  const turns = turnsOf({
    said: [
      ...meetings.en!.said,
      ['Ben', 'Cleo said that she would clean the deck.'],
      ['Ada', 'Cleo, can you book the hall?'],
      ['Cleo', 'No, I am away that week.'],
      ['Ben', 'I think every plank that was cut has to go to the yard.'],
      ['Ada', 'I think I will bring the paint.'],
      ['Cleo', 'Let me define the words. Tar is the black glue of the deck.'],
    ],
    cases: [],
  })
  const source = proverOf(turns).find(quote, [])!
  return { source, comparer: comparerOf({ turns, spoken: 'en', written: 'en' }) }
}

test.each([
  ['Call the harbour', 'Yes, I will call them by Thursday', true],
  ['Call the harbour', 'can you call the harbour by Thursday', true],
  ['Paint the shed', 'I could paint the shed at half past nine', true],
  ['Sell the boat', 'Then we should sell the boat', false],
  ['Sell the boat', 'I do not think we should sell the boat', false],
  ['Talk to the bank', 'If the rent rises, we talk to the bank', false],
  ['Clean the deck', 'Cleo said that she would clean the deck', false],
  ['Book the hall', 'Cleo, can you book the hall', false],
  ['Collect 400 euros a month', 'It costs us four hundred euros a month', true],
  ['Collect 500 euros a month', 'It costs us four hundred euros a month', false],
  ['Define the words: tar is the black glue', 'Tar is the black glue', false],
  ['Go to the yard', 'I think every plank that was cut has to go to the yard', false],
  ['Bring the paint', 'I think I will bring the paint', true],
])('a task is what was promised or asked for: %s, by “%s”: %s', (text, quote, isTask) => {
  const { source, comparer } = task(text, quote)
  expect(comparer.isTask(text, { source })).toBe(isTask)
})

test.each([
  ['Ben', 'Yes, I will call them by Thursday', 'Ben'],
  // Who says "I" is known, whoever the model names.
  ['Ada', 'Yes, I will call them by Thursday', 'Ben'],
  ['Ben', 'can you call the harbour by Thursday', 'Ben'],
  ['Ada', 'can you call the harbour by Thursday', null],
  ['Cleo', 'can you call the harbour by Thursday', null],
  ['Ben', 'If the rent rises, we talk to the bank', null],
  ['Ben', 'I think every plank that was cut has to go to the yard', null],
  ['Cleo', 'I think I will bring the paint', 'Ada'],
])('a task of %s is, by “%s”, one of %s', (who, quote, owner) => {
  const { source, comparer } = task('', quote)
  expect(comparer.ownerOf(who, { source })).toBe(owner)
})

test.each([
  ['We meet on Thursday.', 'Wir treffen uns am Donnerstag.', true],
  ['We meet on Thursday.', 'Wir treffen uns am Freitag.', false],
  ['The party is in May.', 'Das Fest ist im Juni.', false],
  ['I do not want a loan.', 'Ich will keinen Kredit.', true],
  ['I do not want a loan.', 'Ich will einen Kredit.', false],
  ['We should sell the boat.', 'Wir sollten das Boot verkaufen.', true],
  ['We should sell the boat.', 'Wir verkaufen das Boot.', false],
])('a translation that may say something else says so: %s – %s: %s', (said, text, isSame) => {
  expect(isTranslatedSo(said, text, { spoken: 'en', written: 'de' })).toBe(isSame)
})
