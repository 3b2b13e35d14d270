import { RETENTION_DAYS } from '#shared/business.ts'

import type { Article } from './article.ts'

export const legalArticle: Article = {
  slug: 'legal-transcription-requirements',
  title: 'Legal transcription: what AI can draft and what must be certified',
  category: 'Legal',
  published: '2025-07-05',
  readMinutes: 8,
  description:
    'What a machine draft can do in legal work, what needs a certified transcript, and how to review one.',
  keywords: 'legal transcription, certified transcript, verbatim',
  note: 'General information, not legal advice.',
  closing: 'Make the machine draft. Keep the hours for reading it.',
  related: ['professional-interview-transcription', 'medical-transcription-accuracy'],
  sections: [
    {
      title: 'Not legal advice',
      body: (
        <p>
          A transcript can decide a motion, so the rules around it are strict, and they are not the
          same everywhere. What follows describes how machine drafts fit into legal work in general.
          It is written by people who build transcription software, not by your lawyer. Ask the
          court, the agency or your own counsel what your matter needs, and ask before you record.
        </p>
      ),
    },
    {
      title: 'Draft, working copy, official record',
      body: (
        <>
          <p>
            Three kinds of text go by the name of transcript. A{' '}
            <span className="marked">draft</span> helps you find things. A working copy has been
            read against the recording by a person, and you can argue from it. An official record
            has been certified by someone with the right to do so, and as a rule only that one can
            be filed as evidence of what was said.
          </p>
          <p>
            A machine can write the first in minutes. It can shorten the road to the second. It
            cannot make the third, however accurate it is, because certification is not a measure of
            accuracy. It is a person’s statement, with consequences for that person if it is false.
          </p>
          <p>
            Most confusion about AI in legal work comes from mixing the three. So write on every
            page which one it is: “Machine draft, not reviewed” in the header costs nothing and
            prevents the worst misunderstanding, which is a draft that travels by email until
            somebody quotes it in a brief.
          </p>
        </>
      ),
    },
    {
      title: 'Who may certify a transcript',
      body: (
        <>
          <p>
            In many courts a certified reporter or a sworn transcriber signs a statement that the
            text is complete and correct. The signature is a person’s, with a name and a license
            behind it. Who qualifies depends on the place and on the kind of proceeding: the
            reporter who was in the room, a transcriber approved by the court, sometimes a notary or
            a sworn translator when the language is foreign.
          </p>
          <p>
            Typical contents of such a statement: that the transcriber listened to the complete
            recording, that the text is a true record to the best of their ability, that they have
            no interest in the outcome, and where the recording came from. If you see that you will
            need one, ask for the required wording first, and choose the person before the
            transcript is made. Some will work from your draft, some are not allowed to.
          </p>
        </>
      ),
    },
    {
      title: 'Verbatim rules: false starts, non-verbal sounds, inaudible',
      body: (
        <>
          <p>
            Legal transcripts are verbatim, and verbatim has conventions. A witness who says “I, I
            didn’t, I don’t think so” has said all of that, and each start may matter. An engine
            tends to tidy such sentences up. That is pleasant to read and wrong for this purpose.
          </p>
          <ul>
            <li>Keep false starts and repetitions, usually set off by dashes.</li>
            <li>
              Keep answers like “uh-huh” and “nuh-uh” apart: one is a yes and the other a no, and
              they sound nearly the same.
            </li>
            <li>
              Describe gestures only if somebody in the room did: the transcriber does not testify.
            </li>
            <li>
              Mark what cannot be understood as inaudible, with its time, and never fill the gap
              from the context.
            </li>
            <li>Mark overlapping speech, because the order of question and answer can matter.</li>
            <li>Write numbers, dates and sums as they were spoken, then check each by ear.</li>
          </ul>
          <p>
            Short words carry the weight. “I did” and “I didn’t” differ by one weak syllable, and a
            microphone across a room may not have caught it at all. Where a negation decides
            something, listen three times, and have a second person listen without telling them what
            you heard.
          </p>
        </>
      ),
    },
    {
      title: 'Speaker identification and exhibits',
      body: (
        <>
          <p>
            A text in which the question is attributed to the witness is worse than none. Automatic
            labels are a start: they separate voices, and they are best when people speak one after
            another into their own microphones. They are weakest where it is most heated, since
            objections come in the middle of sentences. Services name targets for this, ours is over
            95% on clear turns; a target is not a promise for a telephone line with four people on
            it.
          </p>
          <p>
            Name the speakers by their role at once: counsel, witness, interpreter. Then walk
            through every change of speaker with the recording. In a hearing of an hour there are
            some hundreds, and each takes two seconds. That quarter of an hour is the most useful
            one you can spend on a draft.
          </p>
          <p>
            Exhibits need the same care. “This one here” is clear in the room and useless on paper.
            If you conduct the interview, say the exhibit’s number aloud whenever you point at it.
            If you review the draft, list each number with its time, so that the pages can be put
            beside the words.
          </p>
        </>
      ),
    },
    {
      title: 'Confidentiality, privilege, retention',
      body: (
        <>
          <p>
            Sending a recording to a service is sending it to a third party. Whether that touches
            privilege, professional secrecy or a protective order is a question for the lawyer in
            charge, before the upload. Questions to put to any service, ours included:
          </p>
          <ul>
            <li>Where is the recording processed and stored, and by which companies?</li>
            <li>Can the operator’s staff listen to it, and under which conditions?</li>
            <li>Is anything that is uploaded used to train models?</li>
            <li>When is it deleted, can we delete it earlier, and what remains in backups?</li>
            <li>Can the software run on our own machine, so that nothing leaves it?</li>
          </ul>
          <p>
            Here, recordings are deleted {RETENTION_DAYS} days after the upload or when you say so,
            and the text stays until you delete it. If a matter is under a litigation hold, that is
            a reason not to rely on any service’s calendar: keep the original recording yourself,
            unaltered, and note its checksum.
          </p>
        </>
      ),
    },
    {
      title: 'Recording consent differs by place',
      body: (
        <>
          <p>
            In some places one person in a conversation may record it; in others everybody has to
            agree; in some, recording a private conversation secretly is a crime even for those who
            take part. When people sit in different places, more than one law can apply. Courtrooms
            and agencies have rules of their own, and many forbid private recordings altogether.
          </p>
          <p>
            The practical answer is short: ask everyone, on the recording, at the beginning. A
            recording made without the consent it needed may be inadmissible, and may be a problem
            for the one who made it. A transcript does not heal that.
          </p>
        </>
      ),
    },
    {
      title: 'A review workflow for a machine draft',
      body: (
        <>
          <ol>
            <li>
              <strong>Preserve.</strong> Keep the original file as it is. Work on a copy.
            </li>
            <li>
              <strong>Draft.</strong> Let the machine write. Mark every page as an unreviewed draft.
            </li>
            <li>
              <strong>Name.</strong> Give every voice its role, and merge labels that are one
              person.
            </li>
            <li>
              <strong>First pass, by ear.</strong> Listen to the whole recording at normal speed
              with the text following. Correct words, restore false starts, mark what is inaudible.
            </li>
            <li>
              <strong>Second pass, by risk.</strong> Numbers, dates, names, negations, and every
              word that the engine itself was unsure of. A different person is best.
            </li>
            <li>
              <strong>Index.</strong> Times for each subject and each exhibit. The summary is a
              useful first list; check every entry.
            </li>
            <li>
              <strong>Sign off.</strong> Name, date, and what was checked. From here on it is a
              working copy.
            </li>
          </ol>
          <p>
            Plan about one and a half to two and a half times the length of the recording for both
            passes, if the sound is good. Typing from nothing takes four times and more. The gain
            lies there, and only there: the reading is not optional.
          </p>
        </>
      ),
    },
    {
      title: 'When to hire a court reporter',
      body: (
        <>
          <p>
            Hire one when the transcript will be filed, when testimony is under oath, when the sound
            will be poor and there is only one chance, or when the rules say so. A reporter does
            more than write: they ask people to repeat, stop those who talk at once, mark exhibits,
            administer oaths in many places, and answer for the result with their license.
          </p>
          <p>
            Use a machine draft for what lies around that: first interviews, internal
            investigations, hours of calls that somebody has to search, your own dictation, and the
            preparation for the deposition itself. An accuracy of “99%+”, which is the target that
            services like ours name for clear audio, still means about one wrong word in a hundred,
            or two to three on every page. In a search index that is nothing. In a record it can be
            the whole case.
          </p>
        </>
      ),
    },
  ],
}
