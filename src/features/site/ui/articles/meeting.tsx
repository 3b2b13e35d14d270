import { costOn } from '#features/billing/ui/plan-words.ts'
import { creditsFor } from '#features/credits/contract.ts'

import { allPlans } from '../plan-figures.ts'
import type { Article } from './article.ts'

const hour = creditsFor(3600)
const half = creditsFor(1800)
const [starter, professional, enterprise] = allPlans.map((plan) => costOn(plan, hour))

export const meetingArticle: Article = {
  slug: 'meeting-transcription-vs-note-taking',
  title: 'Meeting transcription or notes? When each one wins',
  category: 'Business',
  published: '2025-07-06',
  readMinutes: 6,
  description:
    'A transcript keeps everything, notes keep what mattered. When to use which, and how to use both.',
  keywords: 'meeting transcription, meeting notes, minutes',
  closing: 'Record one meeting. Read two minutes of it.',
  related: ['professional-interview-transcription', 'video-transcription-content-marketing'],
  sections: [
    {
      title: 'What a note-taker hears and what they miss',
      body: (
        <>
          <p>
            A good note-taker does something no machine does: they decide, while people are still
            talking, what will matter on Thursday. They hear that a joke was a warning, that “we
            should” meant “somebody else should”, and that the silence after the budget question was
            the answer.
          </p>
          <p>
            What they miss is everything that was said while they were writing. People talk at a
            hundred and thirty to a hundred and sixty words a minute; a fast typist manages half of
            that, and nobody does it while also thinking. So notes have holes, and the holes have a
            pattern. The note-taker’s own contributions are short, because nobody can speak and
            write at once. Details of other departments are vague. And the reason for a decision is
            lost far more often than the decision, because reasons come in long sentences.
          </p>
          <p>
            There is also the person. Whoever takes notes takes less part. If it is always the same
            colleague, that is a cost, and it seldom shows up in any account.
          </p>
        </>
      ),
    },
    {
      title: 'What a transcript cannot do',
      body: (
        <>
          <p>
            A transcript has no holes and no opinion. It holds the reason for the decision, the
            number as it was said, and the sentence that someone will later remember differently. It
            can be searched, and it can be checked against the recording.
          </p>
          <p>
            But it is long: an hour is twelve to twenty pages, and nobody reads them. It does not
            know what was important. It can mishear a name or a figure. It cannot see the
            whiteboard, the raised eyebrow, or the three people who said nothing. And a room with
            one microphone at the end of a long table will give you a text with more guesses than
            anybody wants.
          </p>
          <p>
            A summary helps with the length. It picks what seems to matter from the words alone,
            which is why each of its points should lead back to the place where it was said. Read it
            as a table of contents, not as minutes.
          </p>
        </>
      ),
    },
    {
      title: 'Decisions, owners, dates: pulling three things out',
      body: (
        <>
          <p>
            Whatever else a meeting leaves behind, it owes its members three lists. They take five
            minutes if you do them right away with the summary beside you.
          </p>
          <ol>
            <li>
              <strong>Decisions.</strong> One sentence each, in the present tense, with the reason
              behind it: “We raise the price in March, because hosting has doubled.” Search the
              transcript for “decided”, “agreed”, “let’s” and “then we”, and you will find most.
            </li>
            <li>
              <strong>Owners.</strong> Every task has one name. “Marketing” is not a name. The
              speaker labels help here: the person who said “I’ll do it” is on record.
            </li>
            <li>
              <strong>Dates.</strong> A day, not “soon”. If nobody said one, write “no date” and
              ask.
            </li>
          </ol>
          <p>
            Send the lists, link the transcript under them, and let everyone correct within a day.
            Corrections are easy when each line has a time next to it: people listen to fifteen
            seconds instead of arguing from memory.
          </p>
        </>
      ),
    },
    {
      title: 'Asking permission without awkwardness',
      body: (
        <>
          <p>
            In many places you must ask everyone; in all places you should. It becomes awkward only
            when it comes as a surprise. Put a line into the invitation: “We would like to record
            this meeting to get a text of it. The recording is deleted after thirty days. If you
            would rather not, tell me, and we take notes instead.”
          </p>
          <p>
            At the start, say it again, in one sentence, and wait for an answer. One no is enough.
            Do not ask for reasons, and do not record “just for myself”. Stop for parts that concern
            a person: reviews, illness, conflict. A recording that everyone trusts is worth more
            than a complete one.
          </p>
          <p>
            Say also who can read the text. Most worry is not about the machine. It is about the
            colleague in another office who might read half a sentence out of its place.
          </p>
        </>
      ),
    },
    {
      title: 'Cost of an hour, in credits and in attention',
      body: (
        <>
          <p>
            In credits it can be said exactly. Here, a meeting of an hour costs {hour} credits and
            half an hour costs {half}. On the three plans that hour is {starter}, {professional} or{' '}
            {enterprise}. A weekly meeting of an hour needs about {hour * 4} to {hour * 5} credits a
            month.
          </p>
          <p>
            Attention is the larger bill. An hour with eight people costs eight hours of work. If
            one of them spends it writing, that is an eighth. If two people who were absent ask for
            a retelling, that is perhaps half an hour more; if one decision is taken again because
            nobody remembers why it was taken the first time, it is another whole meeting. Against
            this stand ten minutes of naming speakers, checking figures and making the three lists.
          </p>
          <p>
            Where a transcript does not pay: the daily quarter of an hour in which everybody says
            what they do. Nobody will search it next month. Leave the recorder off.
          </p>
        </>
      ),
    },
    {
      title: 'A simple rule for teams',
      body: (
        <>
          <p>Ask one question before the meeting: will somebody need to know why, later?</p>
          <table>
            <thead>
              <tr>
                <th>The meeting</th>
                <th>Use</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <td>Daily round, quick sync</td>
                <td>Nothing, or three lines in the chat</td>
              </tr>
              <tr>
                <td>Review, planning, a choice between options</td>
                <td>Transcript, and the three lists</td>
              </tr>
              <tr>
                <td>Customer call, user interview</td>
                <td>Transcript: their exact words are the point</td>
              </tr>
              <tr>
                <td>Workshop with a whiteboard</td>
                <td>Photos and notes; the sound says little without the pictures</td>
              </tr>
              <tr>
                <td>Anything about a person</td>
                <td>Notes by hand, as few as possible</td>
              </tr>
            </tbody>
          </table>
          <p>
            Both together are often best. Let one person note only what a microphone cannot hear:
            mood, drawings, who is missing. The words take care of themselves.
          </p>
        </>
      ),
    },
    {
      title: 'Starting next Monday',
      body: (
        <>
          <ul>
            <li>Choose one recurring meeting in which decisions are made.</li>
            <li>Put the sentence about recording into its invitation today.</li>
            <li>
              Place one microphone in the middle of the table, and ask people not to talk over each
              other.
            </li>
            <li>After the meeting: upload, name the speakers, make the three lists, send them.</li>
            <li>
              Do it four times. Then ask two questions: did anybody look something up? Did anybody
              mind?
            </li>
          </ul>
          <p>
            If nobody looked anything up in four weeks, stop: you have lost an hour in all and
            learned something about your meetings. If they did, you will know for what, and that
            tells you which meeting comes next.
          </p>
        </>
      ),
    },
  ],
}
