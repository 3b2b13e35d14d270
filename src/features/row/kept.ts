/** The values that a row keeps as JSON. */

/** Where a chapter begins, and what it is called. */
export interface KeptChapter {
  title: string
  startMs: number
}

/** The chapters of a recording, in order, and who has made them: see chapters.ts. */
export interface KeptChapters {
  by: 'model' | 'words' | 'own'
  list: KeptChapter[]
}

/** A key point, and where it was said; both null where no words prove it. */
export interface KeptPoint {
  text: string
  startMs: number | null
  quote: string | null
  /** Its words are those of its owner. */
  isOwn?: true
}

/** What stands in the place of a written summary because its owner says so: see own-summary.ts. */
export interface OwnSummary {
  text?: string | undefined
  keyPoints?: KeptPoint[] | undefined
}

/** A speaker by number, and the name somebody gave it. */
export interface NamedSpeaker {
  speaker: number
  name: string | null
}

/** An action item: something that somebody is to do. */
export interface KeptAction {
  id: string
  text: string
  /** The person who is to do it: a speaker by number, or a name; both null where nobody is named. */
  speaker: number | null
  who: string | null
  /** By when, as it was said, and the day that this is, as YYYY-MM-DD. */
  due: string | null
  dueDate: string | null
  /** Where it was said, and the words; null for what somebody added. */
  startMs: number | null
  quote: string | null
  /** Whether the text is the sentence that was said. */
  isSentence: boolean
  isDone: boolean
  /** Whether its owner added it, and whether they changed it since. */
  isOwn: boolean
  isChanged: boolean
  /** When its owner deleted it. It is kept hidden, so that it can come back, and is not found again. */
  deletedAt: string | null
}
