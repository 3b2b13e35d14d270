/** Says of a recording what is certain, where its words are not: in any language of the summaries. */
import { formatTime } from '#shared/format.ts'

import type { Doubt } from './certainty.ts'

/** The facts stand behind colons, so that no number has to agree with a noun. */
interface Phrases {
  uncertain: string
  speech: (time: string) => string
  speakers: (count: number) => string
  mostBy: (name: string) => string
  words: (about: string) => string
  advice: string
}

const phrases: Record<string, Phrases> = {
  en: {
    uncertain: 'The words of this recording are too uncertain to be summarized.',
    speech: (time) => `Length of the speech: ${time}.`,
    speakers: (count) => `Speakers: ${count}.`,
    mostBy: (name) => `Spoke most: ${name}.`,
    words: (about) => `Words recognized: about ${about}.`,
    advice: 'Check the transcript against the recording, or use a better recognizer.',
  },
  es: {
    uncertain: 'Las palabras de esta grabación son demasiado inciertas para resumirlas.',
    speech: (time) => `Duración del habla: ${time}.`,
    speakers: (count) => `Hablantes: ${count}.`,
    mostBy: (name) => `Quien más habló: ${name}.`,
    words: (about) => `Palabras reconocidas: unas ${about}.`,
    advice: 'Compare la transcripción con la grabación o use un reconocedor mejor.',
  },
  fr: {
    uncertain: 'Les mots de cet enregistrement sont trop incertains pour être résumés.',
    speech: (time) => `Durée de parole : ${time}.`,
    speakers: (count) => `Intervenants : ${count}.`,
    mostBy: (name) => `A parlé le plus : ${name}.`,
    words: (about) => `Mots reconnus : environ ${about}.`,
    advice:
      'Vérifiez la transcription avec l’enregistrement, ou utilisez un meilleur moteur de reconnaissance.',
  },
  de: {
    uncertain: 'Die Wörter dieser Aufnahme sind zu unsicher für eine Zusammenfassung.',
    speech: (time) => `Dauer der Rede: ${time}.`,
    speakers: (count) => `Stimmen: ${count}.`,
    mostBy: (name) => `Am meisten sprach: ${name}.`,
    words: (about) => `Erkannte Wörter: etwa ${about}.`,
    advice:
      'Bitte den Text mit der Aufnahme vergleichen oder eine bessere Spracherkennung verwenden.',
  },
  it: {
    uncertain: 'Le parole di questa registrazione sono troppo incerte per riassumerle.',
    speech: (time) => `Durata del parlato: ${time}.`,
    speakers: (count) => `Voci: ${count}.`,
    mostBy: (name) => `Ha parlato di più: ${name}.`,
    words: (about) => `Parole riconosciute: circa ${about}.`,
    advice: 'Confronti la trascrizione con la registrazione o usi un riconoscitore migliore.',
  },
  pt: {
    uncertain: 'As palavras desta gravação são incertas demais para serem resumidas.',
    speech: (time) => `Duração da fala: ${time}.`,
    speakers: (count) => `Vozes: ${count}.`,
    mostBy: (name) => `Quem mais falou: ${name}.`,
    words: (about) => `Palavras reconhecidas: cerca de ${about}.`,
    advice: 'Compare a transcrição com a gravação ou use um reconhecedor melhor.',
  },
  nl: {
    uncertain: 'De woorden van deze opname zijn te onzeker om samen te vatten.',
    speech: (time) => `Duur van de spraak: ${time}.`,
    speakers: (count) => `Sprekers: ${count}.`,
    mostBy: (name) => `Sprak het meest: ${name}.`,
    words: (about) => `Herkende woorden: ongeveer ${about}.`,
    advice: 'Vergelijk de tekst met de opname of gebruik een betere spraakherkenner.',
  },
  ru: {
    uncertain: 'Слова этой записи распознаны слишком неуверенно, чтобы составить резюме.',
    speech: (time) => `Длительность речи: ${time}.`,
    speakers: (count) => `Говорящих: ${count}.`,
    mostBy: (name) => `Больше всех говорил: ${name}.`,
    words: (about) => `Распознано слов: около ${about}.`,
    advice: 'Сверьте расшифровку с записью или используйте более точное распознавание.',
  },
  ar: {
    uncertain: 'كلمات هذا التسجيل غير مؤكدة بما يكفي لتلخيصها.',
    speech: (time) => `مدة الكلام: ${time}.`,
    speakers: (count) => `عدد المتحدثين: ${count}.`,
    mostBy: (name) => `الأكثر كلاما: ${name}.`,
    words: (about) => `الكلمات المتعرف عليها: نحو ${about}.`,
    advice: 'قارن النص بالتسجيل أو استخدم محركا أفضل للتعرف على الكلام.',
  },
  zh: {
    uncertain: '这段录音的词语识别不够可靠，无法总结。',
    speech: (time) => `讲话时长：${time}。`,
    speakers: (count) => `说话人数：${count}。`,
    mostBy: (name) => `说话最多：${name}。`,
    words: (about) => `识别词数：约 ${about}。`,
    advice: '请对照录音检查文字稿，或使用更好的识别引擎。',
  },
  ja: {
    uncertain: 'この録音は言葉の認識が不確かなため、要約できません。',
    speech: (time) => `発話の長さ：${time}。`,
    speakers: (count) => `話者数：${count}。`,
    mostBy: (name) => `最も多く話した人：${name}。`,
    words: (about) => `認識した語数：約${about}。`,
    advice: '文字起こしを録音と照らし合わせるか、より良い認識エンジンを使ってください。',
  },
  ko: {
    uncertain: '이 녹음은 단어 인식이 너무 불확실하여 요약할 수 없습니다.',
    speech: (time) => `말한 시간: ${time}.`,
    speakers: (count) => `화자 수: ${count}.`,
    mostBy: (name) => `가장 많이 말한 사람: ${name}.`,
    words: (about) => `인식된 단어: 약 ${about}개.`,
    advice: '녹음과 비교하여 텍스트를 확인하거나 더 나은 인식 엔진을 사용하세요.',
  },
}

/** The languages it can be said in; English stands in for others. */
export const doubtLanguages: readonly string[] = Object.keys(phrases)

export function sayDoubt(doubt: Doubt, language: string): string {
  const say = phrases[language] ?? phrases['en']
  if (!say) return ''
  const { spokenMs, speakers, mostBy, words } = doubt
  const parts = [
    say.uncertain,
    say.speech(formatTime(spokenMs / 1000)),
    say.speakers(speakers),
    mostBy === null ? '' : say.mostBy(mostBy),
    say.words(roughly(words)),
    say.advice,
  ]
  return parts.filter(Boolean).join(['zh', 'ja'].includes(language) ? '' : ' ')
}

/** Two figures are as many as such a count deserves. */
const roughly = (count: number): string =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: 2, useGrouping: false }).format(count)
