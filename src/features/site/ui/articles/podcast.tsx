import type { Article } from './article.ts'

export const podcastArticle: Article = {
  slug: 'podcast-seo-transcription',
  title: 'Podcast SEO: why a transcript finds you listeners',
  category: 'SEO Strategy',
  published: '2025-07-08',
  readMinutes: 5,
  description:
    'Search engines cannot hear your show. How to publish a transcript that brings listeners, step by step.',
  keywords: 'podcast transcription, podcast SEO, show notes',
  closing: 'Turn the next episode into a page that can be found.',
  related: ['video-transcription-content-marketing', 'professional-interview-transcription'],
  sections: [
    {
      title: 'Search engines read, they do not listen',
      body: (
        <>
          <p>
            An episode of forty minutes holds about six thousand words. On most podcast pages, a
            search engine sees sixty of them: a title, a teaser, three links. Everything your guest
            explained so well is inside an audio file, and an audio file is a closed box to a
            program that matches words with questions.
          </p>
          <p>
            Some platforms make transcripts of their own. They help inside that platform’s app. They
            do not put a page on your own domain, and your own domain is the only place where a
            stranger who found one answer can look around, subscribe, and come back.
          </p>
        </>
      ),
    },
    {
      title: 'What a transcript gives one episode',
      body: (
        <>
          <p>Once the words are on a page, four things become possible that were not before.</p>
          <ul>
            <li>
              <strong>A better title.</strong> Read the transcript before you name the episode. The
              phrase that your guest repeats is often closer to what people type than the clever
              line you had in mind.
            </li>
            <li>
              <strong>Quotes.</strong> A sentence with a name under it can be linked, shared and
              cited. Nobody cites minute 23.
            </li>
            <li>
              <strong>Chapters.</strong> Where the subject changes, the time is already there. Copy
              it into your player and into the page as headings.
            </li>
            <li>
              <strong>Answers.</strong> Listeners search in questions. If your guest answered one in
              three sentences, those sentences under a heading that asks the question are the best
              thing you can publish this week.
            </li>
          </ul>
        </>
      ),
    },
    {
      title: 'Publish it as a page, not a PDF',
      body: (
        <>
          <p>
            A PDF is a file to keep; a page is a place to arrive at. Put the text into the HTML of
            the episode’s own page, below the player. Keep it in the page even if you fold it behind
            a “Read the transcript” button: a native disclosure element is fine, because its text is
            there from the start. Text that is only fetched after a click may never be seen by a
            crawler.
          </p>
          <p>
            One address per episode. If the transcript lives on a second page, the two compete for
            the same search, and you do not choose which of them wins. And do not publish a wall:
            break it into turns with names, put a heading wherever the subject changes, and leave
            the times in. A reader who wants to hear the passage should be one click away from it.
          </p>
        </>
      ),
    },
    {
      title: 'Show notes from key points in ten minutes',
      body: (
        <>
          <p>
            Show notes are not the transcript. They are the promise of the episode, and they can be
            made from it quickly, because the work of finding what matters has been done.
          </p>
          <ol>
            <li>
              Take the key points of the summary. Strike those that a listener would shrug at.
            </li>
            <li>Rewrite the rest in the second person: what will you know afterwards?</li>
            <li>Give each its time, so that the notes double as a table of contents.</li>
            <li>Add every name, book, tool and place that was mentioned, with a link.</li>
            <li>Put the one quote that made you look up from the desk at the top.</li>
          </ol>
          <p>
            That is ten minutes of work on an hour of sound. Doing it from memory takes longer and
            comes out vaguer, since memory keeps the mood and loses the nouns, and search lives on
            nouns.
          </p>
        </>
      ),
    },
    {
      title: 'Names and jargon: the words to check first',
      body: (
        <>
          <p>
            A speech engine writes what it has most often heard. Ordinary sentences come out well in
            a clear recording. What suffers is exactly what people search for: your guest’s surname,
            the name of a company, a technical term, a place in another language.
          </p>
          <p>
            So do not read the whole text with equal care. Before you start, write down every proper
            name you remember from the conversation. Search the transcript for each; where it is
            missing, it is there in disguise, and you will find it by listening to that minute. Then
            step through the words that the engine itself was unsure of. Once you know how a name
            was misheard, search for that, and correct it everywhere. Five careful minutes here are
            worth more than an hour spent on commas.
          </p>
        </>
      ),
    },
    {
      title: 'Structured data that helps, and what does not',
      body: (
        <>
          <p>
            Describe the episode to machines with what is true of it: the schema.org type
            <em> PodcastEpisode</em>, its name, date, length, the address of the sound, and the
            series it belongs to. If the page carries the full text, the audio object has a property
            for a transcript. Keep the markup and the visible page in agreement; that is the rule
            that search engines repeat most often.
          </p>
          <p>
            What does not help: marking up reviews that nobody wrote, adding a list of questions and
            answers that the page does not show, or repeating keywords in a hidden paragraph. None
            of it replaces text that a person wants to read, and some of it is held against you. No
            markup guarantees a place in the results, and a transcript guarantees none either. It
            makes you a candidate for searches in which, until now, you were not even present.
          </p>
        </>
      ),
    },
    {
      title: 'A checklist per episode',
      body: (
        <>
          <ul>
            <li>
              Upload the final mix, not the raw tracks: the text should match what is published.
            </li>
            <li>Rename the speakers. “Speaker B” is nobody’s favorite guest.</li>
            <li>Check names, numbers and the words that are underlined.</li>
            <li>Choose a title that contains the thing people would search for.</li>
            <li>Headings where the subject changes, at least one for every ten minutes.</li>
            <li>Show notes with times, links and one quote.</li>
            <li>Transcript in the page, in turns, with names and times.</li>
            <li>Description of at most two sentences, written for a person.</li>
            <li>Structured data that says the same as the page.</li>
            <li>
              After a month, look which searches brought people, and use their words in the next
              title.
            </li>
          </ul>
          <p>
            Do this for the next three episodes, then for your three most popular old ones. The back
            catalog is where the surprise usually lies: those conversations have been finished for
            years, and nobody has been able to find them.
          </p>
        </>
      ),
    },
  ],
}
