/** Searches and the texts that each must find, in every place that searches: see src/shared/fold.ts. */
export interface SearchCase {
  text: string
  wanted: string
  /** The places that are found, as they stand in the text. */
  found: readonly string[]
}

const rows: readonly (readonly [text: string, wanted: string, ...found: string[]])[] = [
  ['Meet at the Café, not the cafe.', 'CAFE', 'Café', 'cafe'],
  ['cafe\u0301 au lait', 'café', 'cafe\u0301'],
  // Korean is found by syllables, however a system takes them apart.
  ['간다 갈까 각자 가방', '가방', '가방'],
  ['간다 갈까 각자', '가'],
  ['\u1100\u1161\u11ab\u1103\u1161 가방', '간다', '\u1100\u1161\u11ab\u1103\u1161'],
  // Japanese: か is not が, ハス no バス; the narrow kana are the wide ones.
  ['バスに乗る', 'ハス'],
  ['かく', 'がく'],
  ['ﾊﾞｽに乗る', 'バス', 'ﾊﾞｽ'],
  ['か\u3099くせい', 'がくせい', 'か\u3099くせい'],
  ['今日は東京で会議', '東京', '東京'],
  ['ＡＢＣ社', 'abc', 'ＡＢＣ'],
  // The characters that a phone types.
  ["I don't know", 'don’t', "don't"],
  ['I don’t know', "don't", 'don’t'],
  ['the “big” house', 'the "big" house', 'the “big” house'],
  ['to co\u2011operate', 'co-operate', 'co\u2011operate'],
  ['two  spaces', 'two spaces', 'two  spaces'],
  ['co\u00adoperate', 'cooperate', 'co\u00adoperate'],
  // Letters that are no letter with a mark.
  ['Straße', 'strasse', 'Straße'],
  ['STRASSE', 'straße', 'STRASSE'],
  ['GROẞE', 'grosse', 'GROẞE'],
  ['Łódź, łąka', 'lodz', 'Łódź'],
  ['København', 'kobenhavn', 'København'],
  ['Smørrebrød', 'smorrebrod', 'Smørrebrød'],
  ['Đà Nẵng', 'da nang', 'Đà Nẵng'],
  ['Ægir og œuvre', 'aegir', 'Ægir'],
  ['ISPARTA', 'ısparta', 'ISPARTA'],
  ['Işık', 'isik', 'Işık'],
  ['İstanbul, İzmir ve İznik güzel café', 'güzel', 'güzel'],
  ['İstanbul, İzmir ve İznik güzel café', 'cafe', 'café'],
  ['İstanbul, İzmir ve İznik güzel café', 'izmir', 'İzmir'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσεύς', 'ΟΔΥΣΣΕΥΣ'],
  ['ﬁnance', 'finance', 'ﬁnance'],
  // The points of Hebrew and Arabic are seldom written; the vowels of Hindi and Thai are.
  ['שָׁלוֹם', 'שלום', 'שָׁלוֹם'],
  ['مُحَمَّد', 'محمد', 'مُحَمَّد'],
  ['कुल', 'कल'],
  ['เขามาแล้ว', 'มา', 'มา'],
  ['ม้า', 'มา'],
  ['ສະບາຍດີ', 'ບາຍ', 'ບາຍ'],
  ['សួស្តីពិភពលោក', 'ពិភព', 'ពិភព'],
  ['မင်္ဂလာပါ', 'လာ', 'လာ'],
  ['𝒳 then 東京 café', 'cafe', 'café'],
]

export const searches: readonly SearchCase[] = rows.map(([text, wanted, ...found]) => ({
  text,
  wanted,
  found,
}))
