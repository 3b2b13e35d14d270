/** Queries and changes of questions and their answers. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { isGone } from '#features/recordings/ui/queries.ts'
import { type Given, ask, queryOf, request, sentenceOf } from '#web/api.ts'
import { toastFailure } from '#web/ui/toast.tsx'

import {
  askLibrary,
  askTranscription,
  deleteQuestion,
  listQuestions,
  listQuestionsOfTranscription,
} from '../calls.ts'
import type { Answer } from '../contract.ts'

/** A recording or the library, to which questions are put, and how the page speaks of it. */
export interface Asked {
  /** Asks it a question. */
  ask: (given: Given<typeof askLibrary>) => Promise<Response>
  /** Reads its questions and answers. */
  list: ReturnType<typeof queryOf<typeof listQuestions>>
  title: string
  /** The text that is read for an answer: "the transcript". */
  read: string
  /** The text that an answer was made from: "this transcript". */
  source: string
}

export const askedRecording = (transcriptionId: string): Asked => ({
  ask: (given) => request(askTranscription, { ...given, params: { id: transcriptionId } }),
  list: queryOf(listQuestionsOfTranscription, { params: { id: transcriptionId } }),
  title: 'Ask this recording',
  read: 'the transcript',
  source: 'this transcript',
})

export const askedLibrary: Asked = {
  ask: (given) => request(askLibrary, given),
  list: queryOf(listQuestions),
  title: 'Ask your library',
  read: 'your transcripts',
  source: 'your transcripts',
}

/** The answers that were kept, and questions to begin with. */
export const answersQuery = ({ list }: Pick<Asked, 'list'>) =>
  queryOptions({
    ...list,
    // Another tab may have asked, and another day has questions of its own.
    staleTime: 0,
  })

/** Removes an answer, at once. One that the server did not remove comes back. */
export function useRemove(asked: Asked, { onRemoved }: { onRemoved: () => void }) {
  const client = useQueryClient()
  const query = answersQuery(asked)
  return useMutation({
    mutationFn: ({ id }: Answer) =>
      ask(deleteQuestion, { params: { id } }).catch((error: unknown) => {
        // It is gone already, which is what was asked for.
        if (!isGone(error)) throw error
      }),
    onMutate: async ({ id }) => {
      await client.cancelQueries(query)
      client.setQueryData(
        query.queryKey,
        (before) =>
          before && { ...before, answers: before.answers.filter((answer) => answer.id !== id) },
      )
      onRemoved()
    },
    onError: (error) => {
      void client.invalidateQueries(query)
      toastFailure('Not removed', sentenceOf(error))
    },
  })
}
