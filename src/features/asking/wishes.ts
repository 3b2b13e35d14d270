/**
 * The kind of answer that a question wants, where its words tell: a figure or a date, a reason, a
 * decision. A place that has one is worth more than one that only has the question's words.
 */
import { figureWords } from '#features/writing/values/number-words.ts'
import { languageOf } from '#features/writing/languages.ts'

export interface Wish {
  /** Whether a sentence may be such an answer. */
  says: RegExp
}

interface Words {
  /** Words of questions, and others without content that lists for written texts leave out. */
  empty: string
  /** How it is asked for. */
  figure: string
  reason: string
  /** The words that a reason begins with. */
  because: string
  decision: string
}

/** Parts of words, parted by `|`, as they are looked for in lower case. */
const words: Record<string, Words> = {
  en: {
    empty: `kind kinds sort sorts mention mentions mentioned why when where who whom whose which what how do does did doing am is are was were be
      been being he she him her his hers they them their theirs it its you your yours we us
      our i me my this that these those there here not no nor if then than so too very can
      could will would shall should may might must have has had having about after again
      all any before both by during each from into more most of off on only or other out
      over own same some such through to under until up while with without s t d m ll re ve
      don didn doesn isn wasn`,
    figure:
      'how (?:much|many|long|often|old|far|big|high|late|soon)|when|what (?:time|year|date|day|percent\\w*)|which (?:day|year|month|week)|price|cost|budget|deadline|salary|fee|rent',
    reason: 'why|reason|how come|cause',
    because: 'because|since|reason|so that|due to|why|turns out',
    decision:
      'decide|decision|agree|next step|action|to do|task|responsible|in charge|who (?:should|will|must|has to)',
  },
  de: {
    empty: `art arten erwähnt erwähnen wann wo wohin woher wer wen wem wessen was welche welcher welches welchen wie wieso
      weshalb warum wieviel worüber womit wofür wodurch gibt gab`,
    figure:
      'wie ?viele?|wie (?:lange|oft|alt|gro(?:ß|ss)|hoch|weit|teuer)|wann|welche[snm]? (?:tag|jahr|monat|woche|datum)|preis|kost|budget|frist|termin|miete|gehalt',
    reason: 'warum|wieso|weshalb|grund|gründe',
    because: 'weil|denn|grund|damit|wegen|deshalb|daher|liegt daran',
    decision:
      'entschied|entscheid|beschl|vereinbar|nächste[rn]? schritt|aufgabe|zuständig|wer (?:soll|muss|wird)',
  },
  es: {
    empty: `tipo tipos menciona mencionan cuándo cómo dónde quién quiénes qué cuál cuáles cuánto cuánta cuántos cuántas por
      para su sus se lo la los las le les un una el de del al a en con y o que es son fue
      era hay ha han había está están`,
    figure:
      'cuánt|cuando|cuándo|qué (?:día|año|fecha|hora)|precio|cuesta|coste|costo|presupuesto|plazo',
    reason: 'por qué|razón|motivo|causa',
    because: 'porque|razón|motivo|debido|ya que|por eso|para que',
    decision: 'decid|decisi|acord|próximo paso|tarea|responsable|quién (?:debe|tiene)',
  },
  fr: {
    empty: `sorte sortes type types mentionné mentionnés quand comment où qui que quoi quel quelle quels quelles combien pourquoi est ce qu il
      elle ils elles on a ont était été`,
    figure: 'combien|quand|quel(?:le)? (?:jour|année|date|heure)|prix|coût|budget|délai|échéance',
    reason: 'pourquoi|raison|cause',
    because: "parce qu|car |raison|à cause|puisque|c'est pour ça|afin",
    decision: "décid|décision|convenu|d'accord|prochaine étape|tâche|responsable|qui (?:doit|va)",
  },
  it: {
    empty: `quando come dove chi che cosa quale quali quanto quanta quanti quante perché è sono
      era ha hanno`,
    figure: 'quant[oiae]|quando|che (?:giorno|anno|data|ora)|prezzo|costa|costo|budget|scadenza',
    reason: 'perché|motivo|ragione|causa',
    because: 'perché|motivo|siccome|poiché|per questo|dato che',
    decision: 'decis|decid|concord|prossimo passo|compito|responsabile|chi (?:deve|farà)',
  },
  pt: {
    empty: `quando como onde quem que qual quais quanto quanta quantos quantas por porquê é são
      foi era há tem`,
    figure: 'quant[oa]s?|quando|que (?:dia|ano|data|hora)|preço|custa|custo|orçamento|prazo',
    reason: 'por que|porque|razão|motivo|causa',
    because: 'porque|razão|motivo|por causa|já que|por isso',
    decision: 'decid|decis|combin|próximo passo|tarefa|responsável|quem (?:deve|vai)',
  },
  nl: {
    empty: `wanneer hoe waar wie wat welk welke hoeveel waarom waarover waarmee heeft hebben was
      waren is zijn`,
    figure:
      'hoeveel|hoe (?:lang|vaak|oud|groot|hoog|duur)|wanneer|welke (?:dag|datum)|welk jaar|prijs|kost|budget|deadline',
    reason: 'waarom|reden|oorzaak',
    because: 'omdat|want |reden|vanwege|daarom|zodat',
    decision:
      'besl[oiu]|afgesprok|afspraak|volgende stap|taak|verantwoordelijk|wie (?:moet|gaat|zal)',
  },
  ru: {
    empty: `когда как где кто что какой какая какое какие сколько почему зачем куда откуда чем
      кого чего был была было были`,
    figure:
      'сколько|когда|как (?:долго|часто)|какого числа|в каком году|цена|цену|стоит|стоимость|бюджет|срок',
    reason: 'почему|зачем|причин',
    because: 'потому|так как|причин|из-за|поэтому|чтобы',
    decision: 'реши|решен|договор|следующ\\S+ шаг|задач|ответствен|кто (?:должен|будет)',
  },
  ar: {
    empty: `متى كيف أين من ماذا ما أي كم لماذا هل عن في على إلى هذا هذه كان كانت`,
    figure: 'كم|متى|أي (?:يوم|سنة|تاريخ)|سعر|تكلف|ميزانية|موعد',
    reason: 'لماذا|سبب',
    because: 'لأن|بسبب|السبب|لذلك',
    decision: 'قرر|قرار|اتفق|الخطوة|مسؤول|من (?:يجب|سوف)',
  },
  zh: {
    empty: `什么 什么时候 时候 谁 哪里 哪儿 哪个 哪 多少 几 怎么 怎样 怎么样 为什么 吗 呢 的 了 是 在 有`,
    figure: '多少|几|什么时候|哪天|哪年|价格|费用|成本|预算|期限|多久|多长',
    reason: '为什么|原因|为何',
    because: '因为|由于|原因|所以|为了',
    decision: '决定|同意|下一步|任务|负责|谁(?:应该|要|来)',
  },
  ja: {
    empty: `いつ どう どこ だれ 誰 何 どれ どの どんな いくら いくつ なぜ どうして か は が を に で と も の です ます`,
    figure:
      'いくら|いくつ|何(?:人|個|回|年|月|日|時|本|台|円)|いつ|どのくらい|価格|値段|費用|予算|期限',
    reason: 'なぜ|どうして|理由|原因',
    because: 'から|ので|ため|理由|原因',
    decision: '決め|決定|決ま|合意|次の|担当|誰が',
  },
  ko: {
    empty: `언제 어떻게 어디 어디서 누구 누가 무엇 무엇이 뭐 뭐라고 어느 얼마 몇 왜`,
    figure: '얼마|몇|언제|가격|비용|예산|기한|마감',
    reason: '왜|이유|원인',
    because: '때문|니까|이유|원인|그래서|위해',
    decision: '결정|합의|다음 단계|담당|누가',
  },
}

const emptyWords = new Map(
  Object.entries(words).map(([code, { empty }]) => [code, new Set(empty.split(/\s+/))]),
)

/** Whether a word of a question, in lower case, says nothing of what it is about. */
export const isEmptyWord = (lower: string, code: string): boolean =>
  emptyWords.get(code)?.has(lower) ?? false

export function wishesIn(question: string, code: string): Wish[] {
  const known = words[code]
  if (!known) return []
  const asked = question.toLowerCase()
  const begin = ['zh', 'ja', 'ko', 'ar'].includes(code) ? '' : '(?<!\\p{L})'
  const has = (parts: string) => new RegExp(`${begin}(?:${parts})`, 'u').test(asked)
  return [
    ...(has(known.figure) ? [{ says: figuresOf(code) }] : []),
    ...(has(known.reason) ? [{ says: new RegExp(`${begin}(?:${known.because})`, 'iu') }] : []),
    ...(has(known.decision) ? [{ says: stepsOf(code) }] : []),
  ]
}

const stepsOf = (code: string): RegExp => {
  const { source } = languageOf(code).steps
  return new RegExp(source, 'iu')
}

const figures = new Map<string, RegExp>()

/** Digits, and the names of months and weekdays; in English numbers as words too. */
function figuresOf(code: string): RegExp {
  const known = figures.get(code)
  if (known) return known
  const day = new Intl.DateTimeFormat(code, { weekday: 'long', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(code, { month: 'long', timeZone: 'UTC' })
  const names = [
    ...Array.from({ length: 7 }, (_, at) => day.format(new Date(Date.UTC(2024, 0, 1 + at)))),
    ...Array.from({ length: 12 }, (_, at) => month.format(new Date(Date.UTC(2024, at, 15)))),
    ...(code === 'en' ? figureWords : []),
  ].filter((name) => name !== 'May')
  const made = new RegExp(
    String.raw`\p{N}|[$€£¥]|(?<!\p{L})(?:${names.join('|')})(?:s|th)?(?!\p{L})`,
    'iu',
  )
  figures.set(code, made)
  return made
}
