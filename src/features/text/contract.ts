import { z } from 'zod'

import { RecordingOptions } from '#features/recordings/contract.ts'
import { timings } from '#features/speech/contract.ts'
import { Find, ReplaceWith } from '#features/vocabulary/contract.ts'
import { MAX_DURATION_HOURS } from '#shared/business.ts'
import { MOST_SEEN_TURNS } from '#shared/hits.ts'

export const Speaker = z.object({
  /** Number of the speaker; turns name their speaker by it. */
  speaker: z.int(),
  /** `Speaker A`: what it is called while nobody gave it a name. */
  label: z.string(),
  name: z.string().nullable(),
  /** How long the speaker's turns are in all, in seconds. */
  talkTime: z.number(),
})
export type Speaker = z.infer<typeof Speaker>

export const WordTurn = z.object({
  id: z.uuid(),
  /** Turns stand in the order of this number, which need not be whole. */
  position: z.number(),
  /**
   * Counts the changes of the text; sent back with an edit, so that nobody's work is overwritten.
   */
  revision: z.int(),
  speaker: z.int().nullable(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** Whether somebody has corrected it. What the vocabulary replaces by itself is no correction. */
  isEdited: z.boolean(),
  /** See packed-words.ts: `unpackWords(turn)`. */
  words: z.array(z.int()),
})
export type WordTurn = z.infer<typeof WordTurn>

/** How right a text was, as far as its user has corrected it. */
export const Accuracy = z.object({
  /** Words of the engine. */
  words: z.int(),
  /** Words that were changed, taken out or put in; capitals and punctuation do not count. */
  corrected: z.int(),
})
export type Accuracy = z.infer<typeof Accuracy>

/** Over all recordings of a user that they have gone through. */
export const EngineAccuracy = Accuracy.extend({ engine: z.string(), recordings: z.int() })
export type EngineAccuracy = z.infer<typeof EngineAccuracy>

export const Words = z.object({
  /** Counts every change of text and speakers. */
  revision: z.int(),
  /** Words with a confidence below this are worth checking; null when the engine gives none. */
  checkBelow: z.int().nullable(),
  /** The engine does not say how sure it is; absent where it does. */
  isDoubtUnknown: z.literal(true).optional(),
  speakers: z.array(Speaker),
  turns: z.array(WordTurn),
  timing: z
    .enum(timings)
    .optional()
    .describe(
      'How most words came to their times. recognized: the engine heard them. aligned: the words were looked for in the sound afterwards. estimated: by their length and the pauses, which can be off by a second. Absent for what was written by hand.',
    ),
  /** Why words may be in doubt; absent where nothing is known. */
  sound: z.enum(['noisy', 'telephone']).optional(),
  /** Only where the user has gone through the text. */
  checked: Accuracy.optional(),
  /** Fixed replacements that were made, and the number to undo them by. */
  fixed: z.object({ replaced: z.int(), edit: z.int() }).optional(),
})
z.globalRegistry.add(Words, { id: 'Words' })
export type Words = z.infer<typeof Words>

/** The answer to every change: put it into the `Words` at hand, by id, and sort by position. */
export const Edited = z.object({
  revision: z.int(),
  /** The number to undo this change by; null when nothing was changed. */
  undo: z.int().nullable(),
  /** Turns that are new or changed. */
  turns: z.array(WordTurn),
  /** Turns that are gone. */
  removed: z.array(z.uuid()),
  /** All speakers, as they are now. */
  speakers: z.array(Speaker),
  wordCount: z.int(),
  /** Then other turns moved or changed too: load the words anew. */
  reload: z.boolean(),
})
z.globalRegistry.add(Edited, { id: 'Edited' })
export type Edited = z.infer<typeof Edited>

/** 409: the turn was changed elsewhere since; nothing was written. */
export const EditConflict = z.object({
  message: z.string(),
  code: z.literal('edited_elsewhere'),
  /** The turn as it is now; null when it is gone. */
  current: WordTurn.nullable(),
})
export type EditConflict = z.infer<typeof EditConflict>

/**
 * Nobody speaks that much without a pause. The text of a recogniser is cut into far shorter turns.
 */
export const MOST_TURN_CHARACTERS = 20_000

const TurnText = z.string().max(MOST_TURN_CHARACTERS)

const TurnRevision = z.int32().min(0)

const SpeakerName = z.string().trim().max(80)

export const EditText = z.object({ text: TurnText, revision: TurnRevision })

/** `at`: a place in `text`, or in the stored text where none is sent. */
export const SplitTurn = z.object({
  at: z.int32().min(0),
  revision: TurnRevision,
  text: TurnText.optional(),
})

/** Appends the turn to the one before it. `text`: what was typed into it and not saved yet. */
export const MergeTurn = z.object({
  revision: TurnRevision,
  previous: z.object({ id: z.uuid(), revision: TurnRevision }),
  text: TurnText.optional(),
})

/** Where a turn begins and ends, in seconds. */
const Second = z
  .number()
  .min(0)
  .max(MAX_DURATION_HOURS * 3600)

export const SetTimes = z.object({ start: Second, end: Second, revision: TurnRevision })

/** Of the turn, or of the whole transcription. */
export const Restore = z.object({ revision: TurnRevision })

/** Numbers of words in the turn, as `unpackWords` lists them. */
export const AcceptWords = z.object({
  revision: TurnRevision,
  words: z.array(z.int32().min(0)).min(1).max(5_000),
})

/** One of the speakers, nobody (null), or somebody new by name. */
export const AssignSpeaker = z.union([
  z.strictObject({ speaker: z.int().min(0).max(999).nullable() }),
  z.strictObject({ name: SpeakerName.min(1) }),
])

/** An empty name takes the given one away. Another speaker's name makes them one. */
export const RenameSpeaker = z.object({ name: SpeakerName })

export const ReplaceText = z.object({
  find: Find.describe('What is replaced. Accents matter.'),
  replaceWith: ReplaceWith.describe(
    'Empty: takes the hits out. If this and `find` have no capitals, a hit keeps its own.',
  ),
  matchCase: z.boolean().default(false),
  wholeWord: z.boolean().default(true).describe('"tape" is then not found in "tapes".'),
  remember: z
    .boolean()
    .default(false)
    .describe('Also makes it a fixed replacement of the vocabulary, if it was made here.'),
  turns: z
    .array(
      z.object({
        id: z.uuid(),
        revision: TurnRevision,
        at: z
          .array(z.int32().min(0))
          .max(MOST_SEEN_TURNS)
          .optional()
          .describe('Only hits that begin at these places of the text.'),
      }),
    )
    .max(MOST_SEEN_TURNS)
    .optional()
    .describe(
      'The turns in which hits were seen. Those that were changed since are left. Default: all.',
    ),
})

/** The changed turns, as `Edited` has them, and the turns that were left. */
export const Replaced = Edited.omit({ undo: true }).extend({
  /** How many places. */
  replaced: z.int(),
  /** The number to undo all of them by; null when nothing was replaced. */
  edit: z.int().nullable(),
  /** Turns that were changed elsewhere since they were seen, and were left as they are. */
  left: z.array(z.uuid()),
})
z.globalRegistry.add(Replaced, { id: 'Replaced' })
export type Replaced = z.infer<typeof Replaced>

export const UndoEdit = z.object({ edit: z.int32().min(1) })

/** A question that a new text could not decide by itself. */
const OpenQuestion = z.object({
  /** By which it is decided. */
  number: z.int(),
  decision: z.enum(['open', 'put', 'left']),
})

/** A correction without a place in the new text. Seconds of the recording. */
export const LostCorrection = OpenQuestion.extend({
  kind: z.literal('text'),
  /** Who speaks there now. */
  speaker: z.int().nullable(),
  start: z.number(),
  end: z.number(),
  /** What the engine had written; empty where words were added. */
  was: z.string(),
  /** What was written instead; empty where words were taken out. */
  mine: z.string(),
  /** What the new text says there. */
  now: z.string(),
})
export type LostCorrection = z.infer<typeof LostCorrection>

/** A name whose voice is not sure: "Speaker C may be Ben Okafor." */
export const LikelyName = OpenQuestion.extend({
  kind: z.literal('name'),
  speaker: z.int(),
  name: z.string(),
})
export type LikelyName = z.infer<typeof LikelyName>

/**
 * What transcribing again would be, and what the last time left to decide. To go back to the earlier
 * text, and to drop it, answer this too.
 */
export const Again = z.object({
  /** Null where it cannot be: the recording is gone, or it is the product's own. */
  offer: z
    .object({
      creditsRequired: z.int().describe('0 where the first try failed on our side.'),
      creditsAvailable: z.int(),
      /** Corrections that would be carried over. */
      corrections: z.int(),
      /** What the form begins with: the language that was found, and what was asked for. */
      options: RecordingOptions.required(),
      /** How many speakers were found. */
      speakersFound: z.int(),
      /** Of its sound; 1 where nobody has counted. */
      channels: z.int(),
      /** Whether these are tracks of the file. */
      areTracks: z.boolean(),
    })
    .nullable(),
  /** What became of the corrections and names; null where the text is the first one. */
  carried: z
    .object({
      /** Corrections that the new text had a place for. */
      placed: z.int(),
      /** Names first, then corrections as they are said. */
      questions: z.array(z.discriminatedUnion('kind', [LikelyName, LostCorrection])),
    })
    .nullable(),
  /** The text before, which POST …/again/back changes for this one. */
  earlier: z.object({ keptUntil: z.iso.datetime() }).nullable(),
})
z.globalRegistry.add(Again, { id: 'Again' })
export type Again = z.infer<typeof Again>

/** `open` takes a decision back. */
export const DecideAgain = z.object({
  number: z.int32().min(0),
  decision: z.enum(['open', 'put', 'left']).describe('put: mine, or this name. left: as it is.'),
})

/** The question as it is now, and what that changed in the text. */
export const DecidedAgain = z.object({
  question: z.discriminatedUnion('kind', [LikelyName, LostCorrection]),
  /** Null where no text was changed. */
  edited: Edited.nullable(),
})
z.globalRegistry.add(DecidedAgain, { id: 'DecidedAgain' })
export type DecidedAgain = z.infer<typeof DecidedAgain>
