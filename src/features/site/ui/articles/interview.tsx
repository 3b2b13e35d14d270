import type { Article } from './article.ts'

export const interviewArticle: Article = {
  slug: 'professional-interview-transcription',
  title: 'Interview transcription: from tape to quotable text',
  category: 'Best Practices',
  published: '2025-07-07',
  readMinutes: 7,
  description:
    'From consent to a checked quote: a working method for journalists, researchers and anyone who interviews.',
  keywords: 'interview transcription, verbatim, qualitative research',
  closing: 'Bring one interview. Check one quote.',
  related: ['legal-transcription-requirements', 'podcast-seo-transcription'],
  sections: [
    {
      title: 'Before you record: consent, room, microphone',
      body: (
        <>
          <p>
            The best time to improve a transcript is before the first question. Three things decide
            how much work comes later, and none of them needs a studio.
          </p>
          <p>
            <strong>Consent.</strong> Say that you record, why, who will hear it, who will read it
            and when it will be deleted. Ask before you switch on, and then ask once more with the
            machine running, so that the yes is on the tape. In many places recording a conversation
            without the knowledge of everybody in it is against the law, and in research it is
            against the rules of your institution. If you use a service to transcribe, that is part
            of what people agree to.
          </p>
          <p>
            <strong>Room.</strong> Soft things swallow echo: curtains, a sofa, coats on a rack. Hard
            things return it. Turn off the fan and the coffee machine, and move away from the
            window. Clap once; if you hear the clap twice, change places.
          </p>
          <p>
            <strong>Microphone.</strong> Distance matters more than price. A phone on the table
            between two people, on a folded cloth, within an arm’s length of both, beats an
            expensive microphone across the room. Record ten seconds, listen to them with
            headphones, and only then begin. If you can place one small microphone on each person,
            do.
          </p>
        </>
      ),
    },
    {
      title: 'Verbatim, clean verbatim, or edited: choose first',
      body: (
        <>
          <p>
            “Transcribe it” can mean three different things. Decide which before anybody types, and
            write the decision at the top of the file.
          </p>
          <ul>
            <li>
              <strong>Verbatim</strong> keeps everything: false starts, repetitions, every um,
              laughs and pauses. It is for work on how something is said: conversation analysis,
              some legal uses, oral history.
            </li>
            <li>
              <strong>Clean verbatim</strong> keeps every word that carries meaning and leaves out
              the stumbling. Nothing is reordered and nothing is added. It is what most journalists
              and most qualitative researchers need.
            </li>
            <li>
              <strong>Edited</strong> turns speech into sentences for the page. It is a new text,
              made from the interview, and should be shown to whoever is quoted.
            </li>
          </ul>
          <p>
            A machine draft usually lies between the first two: fillers are often dropped because
            the engine was never taught to write them. If your method needs every hesitation, plan
            to add them by ear. No setting will do it for you.
          </p>
        </>
      ),
    },
    {
      title: 'Two people, two labels: speaker naming that survives editing',
      body: (
        <>
          <p>
            An automatic transcript separates voices and calls them Speaker A, Speaker B and so on,
            in the order in which they first spoke. It does not know who they are. You do, after one
            sentence.
          </p>
          <p>
            Name them at once, before you read on, and in the tool rather than with search and
            replace in a text file. A name that belongs to the voice follows it into the text, the
            timeline and every export; a name that was typed into a document is only text. For
            research, use the code you will publish: “P07” now is safer than a real name that has to
            be hunted down in forty files later.
          </p>
          <p>
            Then check the borders. Machines make most of their mistakes where one person answers
            quickly: a “yes” or “exactly” at the end of your question may end up in your mouth
            instead of theirs. Skim the first and the last line of each turn; that is where they
            hide. If the same voice received two labels, give both the same name.
          </p>
        </>
      ),
    },
    {
      title: 'Checking a quote against the audio',
      body: (
        <>
          <p>
            A transcript is a map of the recording. You would not print a map’s word for it. Before
            a sentence goes between quotation marks, hear it.
          </p>
          <ol>
            <li>Click the first word of the sentence and listen to it at normal speed.</li>
            <li>Start ten seconds earlier, so that you hear the question it answers.</li>
            <li>
              Listen for negations. A lost “not” is one short syllable and turns a claim around.
            </li>
            <li>Check every number, name and unit by ear, even if they look right.</li>
            <li>
              Let it run five seconds past the end. People often take back what they have said.
            </li>
          </ol>
          <p>
            It takes about a minute for each quote. Words that the engine was unsure of are a good
            place to start, but not a license to skip the rest: an engine can be very sure of a word
            that nobody said. Note the time next to the quote in your draft. When an editor, a
            reviewer or a lawyer asks, you will find the passage in seconds.
          </p>
        </>
      ),
    },
    {
      title: 'Marking what you could not hear',
      body: (
        <>
          <p>
            Every recording has holes: a passing truck, a hand over the microphone, two people at
            once. The rule is simple: never fill a hole with what must have been said. Mark it, with
            its time, the same way each time.
          </p>
          <ul>
            <li>
              <code>[inaudible 0:14:32]</code> for words that cannot be understood at all
            </li>
            <li>
              <code>[Kessler? 0:15:02]</code> for a guess that you want to check
            </li>
            <li>
              <code>[both speaking]</code> where voices overlap and only one can be followed
            </li>
            <li>
              <code>[laughs]</code>, <code>[long pause]</code> where they change the meaning
            </li>
          </ul>
          <p>
            Square brackets say: this comes from the person who transcribed. Keep round ones for the
            rare case that somebody speaks in parentheses. And listen again on the next day with
            other headphones; some of what was inaudible in the evening can be understood in the
            morning.
          </p>
        </>
      ),
    },
    {
      title: 'Coding interviews for research',
      body: (
        <>
          <p>
            For analysis the text has to be stable before the first code is given. Correct, name and
            anonymize first; a correction afterwards shifts every marked passage in many programs.
            Freeze a version, date it, and code that one.
          </p>
          <p>
            Keep the times in the exported text. They look like clutter until you doubt a code and
            want to hear the tone in which a sentence was said: irony leaves no trace on paper.
            Turns with a name and a time import cleanly into the common programs for qualitative
            analysis, as plain text or as a table with one turn on each line.
          </p>
          <p>
            Use an automatic summary as you would use a colleague’s hunch. It may show you a theme
            that you missed, and it may miss the one that matters because it was said only once. It
            is a way into the material; it is not a finding, and it has no place in a methods
            section except where you describe how you worked.
          </p>
        </>
      ),
    },
    {
      title: 'Storing and deleting recordings',
      body: (
        <>
          <p>
            A voice identifies a person. A recording therefore deserves more protection than its
            transcript, and in most studies and many newsrooms it is needed for a shorter time.
            Write down three dates when you plan the work: when the transcript will be checked, when
            the recording is deleted, and when the text is deleted or archived.
          </p>
          <p>
            Then see that every copy obeys: the phone, the laptop, the shared folder, the backup,
            and the transcription service. Prefer services that delete recordings by themselves
            after a stated time and let you do it earlier. Do not email sound files; every mailbox
            is another copy that nobody will remember.
          </p>
        </>
      ),
    },
    {
      title: 'A template you can copy',
      body: (
        <>
          <p>
            Put this at the top of every transcript. It answers what people will ask in two years.
          </p>
          <ul>
            <li>Interview with: name or code</li>
            <li>Interviewer, date, place, length</li>
            <li>Consent: how it was given, and for which uses</li>
            <li>Style: verbatim, clean verbatim or edited</li>
            <li>Draft made by: person or engine, and its version</li>
            <li>Checked against the recording by: name, date</li>
            <li>Marks used: inaudible, guess, overlap</li>
            <li>Recording is deleted on: date</li>
          </ul>
          <p>
            The line that matters most is “checked by”. A draft with nobody’s name behind it is a
            draft. With a name and a date it is a document that you can quote from.
          </p>
        </>
      ),
    },
  ],
}
