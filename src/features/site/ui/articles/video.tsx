import { costOn } from '#features/billing/ui/plan-words.ts'
import { creditsFor } from '#features/credits/contract.ts'
import { DOCUMENT_CREDITS } from '#shared/business.ts'

import { allPlans } from '../plan-figures.ts'
import type { Article } from './article.ts'

const MINUTES = 12
const credits = creditsFor(MINUTES * 60)
const withDocument = creditsFor(MINUTES * 60, { withDocument: true })
const professional = allPlans.find(({ isPopular }) => isPopular)
const ownPrice = professional ? costOn(professional, withDocument) : ''
const general = [0.2, 0.5].map((price) => `$${(price * MINUTES).toFixed(2)}`).join(' to ')

export const videoArticle: Article = {
  slug: 'video-transcription-content-marketing',
  title: 'One video, ten pieces: transcription for content marketing',
  category: 'Marketing',
  published: '2025-07-04',
  readMinutes: 6,
  description:
    'One recorded video can become captions, an article, quotes and posts. Start from the words.',
  keywords: 'video transcription, captions, content marketing',
  closing: 'Upload the video you already have.',
  related: ['podcast-seo-transcription', 'meeting-transcription-vs-note-taking'],
  sections: [
    {
      title: 'Start from the words, not the footage',
      body: (
        <>
          <p>
            You have a webinar, a product tour, a talk from a conference. It took days to prepare
            and was watched twice. The usual advice is to cut it into clips, so somebody opens an
            editing program and scrubs through fifty minutes looking for a good half minute. That is
            the slowest way to search there is.
          </p>
          <p>
            Turn it around. Get the text first, read it in ten minutes with a marker in your hand,
            and only then open the footage, at the times you have noted. Almost everything you might
            publish from a talk is made of its sentences. The pictures come along.
          </p>
        </>
      ),
    },
    {
      title: 'Captions first: who needs them and what good ones look like',
      body: (
        <>
          <p>
            Captions are the first piece, because without them a part of the audience is shut out:
            people who are deaf or hard of hearing, people who are following in their second
            language, and everybody who watches on a train without headphones. For many
            organizations they are also required by law. They are the one piece that you should make
            even if you make no other.
          </p>
          <p>Good captions are not just the transcript in small portions:</p>
          <ul>
            <li>
              Two lines at most, of about forty characters, broken where a speaker would breathe.
            </li>
            <li>
              Long enough on screen to be read; a viewer needs about a second for fifteen letters.
            </li>
            <li>Names of speakers when it is not clear who is talking.</li>
            <li>Sounds that matter in brackets: (applause), (phone rings).</li>
            <li>Product names and people’s names spelled correctly. Check those by hand.</li>
          </ul>
          <p>
            Export them as SRT or VTT, the two formats that nearly every video platform takes, and
            watch the first two minutes with the sound off. If you can follow, so can others.
          </p>
        </>
      ),
    },
    {
      title: 'From key points to an article, a thread, an email',
      body: (
        <>
          <p>
            The summary of a recording gives you key points, and each is the seed of a piece. Do not
            publish the summary itself: it says what the talk contained, which is interesting to
            nobody who was not there. Ask of each point what a reader can do with it.
          </p>
          <ol>
            <li>
              <strong>Article.</strong> Take the one point that got a question from the audience.
              Use the speaker’s explanation, add the example, cut the rest.
            </li>
            <li>
              <strong>How-to.</strong> If the video shows steps, the transcript is the list. Number
              them, add one picture each.
            </li>
            <li>
              <strong>Thread.</strong> Five points, one sentence each, the most disputed first.
            </li>
            <li>
              <strong>Email.</strong> One story from the talk, one link. Leave out the other four
              points.
            </li>
            <li>
              <strong>Questions and answers.</strong> The questions people asked, word for word,
              make headings that others search for.
            </li>
            <li>
              <strong>A page for the video itself</strong>, with the transcript under it, so that it
              can be found.
            </li>
          </ol>
          <p>
            A generated document can be the first draft of any of these: an article, social posts, a
            marketing brief. Edit it as you would edit a trainee’s draft. It knows what was said; it
            does not know your readers.
          </p>
        </>
      ),
    },
    {
      title: 'Quotes and clips by timecode',
      body: (
        <>
          <p>
            Now the marked sentences. Copy each with its time and the name of who said it. You have
            a list of quotes, and the same list is a cutting plan: every line says where to set the
            scissors. A clip of twenty to sixty seconds that begins with the sentence itself,
            without a greeting, needs no other editing than captions.
          </p>
          <p>
            Listen before you publish. Text hides tone, and a sentence that reads as bold may have
            been said with a laugh. For quotes from guests and customers, ask them. You have the
            exact words and the minute, so the question takes one line: may we use this?
          </p>
          <p>
            Two clips, two quote cards, six texts and the captions: that is more than ten pieces.
          </p>
        </>
      ),
    },
    {
      title: 'Translating a summary for another market',
      body: (
        <>
          <p>
            A full translation of a talk is expensive, and often nobody has asked for it. A summary
            in the other language costs nearly nothing and tells you whether anybody does. Ask for
            the summary in Spanish or Japanese (it takes a server with a language model), have a
            colleague who speaks the language read it, and send it to ten people in that market with
            the captions in English. If three answer, translate the rest properly, by a person.
          </p>
          <p>
            Do not skip the colleague. Terms of your trade have settled translations, and a machine
            picks another one each time.
          </p>
        </>
      ),
    },
    {
      title: 'What it costs per video',
      body: (
        <>
          <p>
            Take a video of {MINUTES} minutes. Transcription in general costs about $0.20–0.50 per
            minute, so {general} for the text alone; by hand and overnight it is more. Here, the
            same video is {credits} credits. With a generated document it is {withDocument}, because
            each document adds {DOCUMENT_CREDITS}. On Professional those {withDocument} credits are{' '}
            {ownPrice} of the monthly price.
          </p>
          <p>
            The honest sum includes your time, which is the larger part: ten minutes to read and
            mark, ten to check names in the captions, and about half an hour for each article that
            deserves the name. Clips take as long as your editing program wants. If you have two
            hours, make the captions, one article, one email and two quotes, and stop. Ten is a list
            to choose from, not a quota.
          </p>
          <p>
            One edge is worth knowing. A video of exactly a quarter of an hour costs{' '}
            {creditsFor(15 * 60)} credits, one that runs a second longer {creditsFor(15 * 60 + 1)}.
            Trim the countdown and the goodbye before you upload.
          </p>
        </>
      ),
    },
    {
      title: 'What to measure, honestly',
      body: (
        <>
          <p>
            Views flatter and say little. Three numbers tell you whether the words earn anything:
          </p>
          <ul>
            <li>
              <strong>Searches that lead to the video’s page.</strong> Compare three months before
              the transcript with three months after it, and remember that seasons and new links
              move the number too.
            </li>
            <li>
              <strong>Watch time with captions on,</strong> if your platform reports it. It shows
              who would have left.
            </li>
            <li>
              <strong>Replies.</strong> An email that quotes a customer’s own question is answered,
              or it is not.
            </li>
          </ul>
          <p>
            Make one change at a time, write down when you made it, and look again after a quarter.
            If a piece does nothing twice, drop it from the list. You will end with four that work,
            and a talk that goes on talking.
          </p>
        </>
      ),
    },
  ],
}
