import { RETENTION_DAYS } from '#shared/business.ts'

import type { Article } from './article.ts'

export const medicalArticle: Article = {
  slug: 'medical-transcription-accuracy',
  title: 'Medical transcription: what accuracy means when it matters',
  category: 'Healthcare',
  published: '2025-07-03',
  readMinutes: 9,
  description:
    'What accuracy figures mean for dictation, where errors hide, and which agreements come first.',
  keywords: 'medical transcription, word error rate, accuracy',
  note: 'General information, not medical or compliance advice. Please do not upload patient data to this service.',
  closing: 'Try it on your own voice, with an invented case.',
  related: ['legal-transcription-requirements', 'professional-interview-transcription'],
  sections: [
    {
      title: 'Not medical or compliance advice',
      body: (
        <p>
          This article explains how the accuracy of speech recognition is measured, where it fails
          in medical language, and what has to be settled before patient audio goes anywhere. It was
          written by people who make transcription software. It does not replace the judgment of a
          clinician, nor that of whoever is responsible for privacy where you work.
        </p>
      ),
    },
    {
      title: 'Why one word can be enough',
      body: (
        <>
          <p>
            In most texts a wrong word is a nuisance. The reader notices, smiles, and goes on. In a
            medical text the wrong word can look right, and then nobody notices. Three kinds are
            dangerous because they are short, common, and carry the meaning of the whole sentence.
          </p>
          <ul>
            <li>
              <strong>Drug names.</strong> Many differ by a letter or a syllable: hydroxyzine and
              hydralazine, clonidine and clonazepam, Celebrex and Celexa. Patient-safety bodies keep
              long lists of such pairs, because people confuse them too. A speech engine has the
              same weakness and none of the context: it has not seen the patient.
            </li>
            <li>
              <strong>Doses and numbers.</strong> “Fifteen” and “fifty” differ in their ending,
              which is exactly what a distant microphone swallows. “Point five” loses its point as
              easily and becomes ten times as much; “milligrams” and “micrograms” are a thousand
              times apart and sound alike.
            </li>
            <li>
              <strong>Negations.</strong> “No evidence of fracture” without its first word is the
              opposite finding. “Hypo” and “hyper” are one vowel apart. “Afebrile” and “a febrile”
              are the same sounds.
            </li>
          </ul>
          <p>
            None of these can be caught by a spelling checker, because the wrong word is spelled
            correctly. And most of them cannot be seen by reading the text alone, because the wrong
            sentence is a good sentence.
          </p>
        </>
      ),
    },
    {
      title: 'Word error rate, explained with an example',
      body: (
        <>
          <p>
            The usual measure is the word error rate. Someone writes down exactly what was said;
            that is the reference. The machine’s text is laid beside it so that as many words as
            possible agree. What remains are three kinds of error: a word was replaced, a word is
            missing, or a word was added. Their number, divided by the number of words in the
            reference, is the rate.
          </p>
          <p>An example with twelve words in the reference:</p>
          <table>
            <tbody>
              <tr>
                <th scope="row">Said</th>
                <td>patient denies chest pain and takes fifteen milligrams of the drug daily</td>
              </tr>
              <tr>
                <th scope="row">Written</th>
                <td>patient denies chest pain and takes fifty milligrams of drug daily now</td>
              </tr>
            </tbody>
          </table>
          <p>
            “Fifteen” became “fifty”: one replacement. “The” is missing: one deletion. “Now” was
            added: one insertion. Three errors in twelve words are 25%. Two of the three do not
            matter at all. The third is a dose more than three times too high.
          </p>
          <p>
            That is the weakness of the measure: it counts every word the same. A text can have a
            low rate and one fatal error, or a high rate made of nothing but lost articles. It is
            useful for comparing two engines on the same recordings. It is not a statement about
            safety.
          </p>
        </>
      ),
    },
    {
      title: 'What 99% means on a ten-minute dictation',
      body: (
        <>
          <p>
            People dictate at roughly a hundred and fifty words a minute, so ten minutes are fifteen
            hundred words. An accuracy of 99% means one error in a hundred words:{' '}
            <strong>about fifteen errors</strong> in those ten minutes. At 95% it is seventy-five.
            At 99.9%, which no general engine reaches outside of ideal recordings, it would still be
            one or two.
          </p>
          <p>
            Fifteen errors are not spread evenly. They gather where the language is rare: names,
            drugs, abbreviations, Latin, figures. An engine that has learned from everyday speech
            gets “and then we went on to” right every time, and that is where most of its score
            comes from. In the sentence with the drug in it, its accuracy is lower than the average
            on the box.
          </p>
          <p>
            Services, ours among them, name 99%+ as a target for clear audio. Read it as: with a
            good microphone, in a quiet room, one speaker, ordinary words. Then ask for a test on
            your own recordings, and count the errors that would have mattered.
          </p>
        </>
      ),
    },
    {
      title: 'Audio, accents, and rooms',
      body: (
        <>
          <p>
            Of everything that decides the result, the microphone is the easiest to change. A
            headset or a lapel microphone a hand’s width from the mouth gives any engine far cleaner
            sound than a laptop across the desk. Rooms with tiles and steel, of which hospitals have
            many, return every word twice. A mask takes away the high frequencies that distinguish F
            from S.
          </p>
          <p>
            Accents are harder. Engines do better with the kinds of speech they have heard more of,
            and that is unevenly distributed. Two colleagues with the same microphone can get very
            different results, and it is no fault of the one with more errors. Measure for each
            speaker before you decide that a system works for the department.
          </p>
          <p>
            Habits of dictation help as well: say the unit after every number, say figures digit by
            digit where it matters (“one five, fifteen milligrams”), spell a rare name once, pause
            between sections, and say the negation with emphasis. It feels slow for a week.
          </p>
          <p>
            Conversations between several people are a different task from dictation. Voices
            overlap, somebody turns to the screen, a relative answers from the corner. Expect more
            errors, and expect some sentences to be given to the wrong person.
          </p>
        </>
      ),
    },
    {
      title: 'Privacy law in brief: agreements before audio',
      body: (
        <>
          <p>
            A recording of a patient is health data, and a voice identifies a person. Before it
            leaves your systems there has to be a legal basis and, nearly everywhere, a contract
            with whoever receives it.
          </p>
          <ul>
            <li>
              <strong>In the United States,</strong> a covered entity needs a business associate
              agreement with a service that handles protected health information for it. Without
              that agreement the upload itself is the violation, however secure the service may be.
            </li>
            <li>
              <strong>In the European Union and the United Kingdom,</strong> health data belongs to
              the special categories. You need a processing agreement, often an assessment of the
              risks, and clarity about where the data goes.
            </li>
            <li>
              <strong>Elsewhere</strong> there are further rules, some of which require the data to
              stay in the country. Professional secrecy comes on top.
            </li>
          </ul>
          <p>
            Consent to treatment is not consent to being recorded. Ask separately, say what happens
            to the recording, and accept a no without consequences for the patient.
          </p>
        </>
      ),
    },
    {
      title: 'We do not offer one today, so do not upload patient data',
      body: (
        <>
          <p>
            To say it plainly: this service does not offer a business associate agreement or a
            comparable contract for health data. Please do not upload recordings of patients, or
            dictation in which patients can be recognized. That a recording is deleted after{' '}
            {RETENTION_DAYS} days does not change this, and neither does a name you leave out: a
            rare illness with a date and a town is a name.
          </p>
          <p>
            What you can do today: transcribe lectures, training material, meetings about matters
            other than patients, and research interviews whose participants have agreed to this
            processing and whose protocol allows it. You can also try how well dictation works for
            you, with an invented case and your own voice. And the software can be run on your own
            machine with an engine that sends nothing on; whether that satisfies your rules is a
            question for those who answer for them.
          </p>
        </>
      ),
    },
    {
      title: 'A human review step',
      body: (
        <>
          <p>
            Whatever system you use, a person signs. The question is what that person can see. A
            review that consists of skimming the finished text finds the ugly errors and misses the
            dangerous ones. A review that finds them looks different:
          </p>
          <ol>
            <li>It happens the same day, while the author still remembers.</li>
            <li>It starts with the words the engine was unsure of, and plays each of them.</li>
            <li>
              It goes through every drug, dose, side, number and negation, against the recording and
              not against expectation.
            </li>
            <li>It compares the list of medication with the one in the chart.</li>
            <li>It is done by somebody who is allowed to say “I cannot tell”, and to ask.</li>
            <li>It leaves a trace: who, when, and what was changed.</li>
          </ol>
          <p>
            Keep count of what the review finds. After a month you will know your own rate of errors
            that mattered, which is worth more than any figure in a brochure, and you will know
            which words to add to the list that everybody speaks slowly.
          </p>
        </>
      ),
    },
    {
      title: 'Choosing a service: ten questions',
      body: (
        <>
          <ol>
            <li>Do you sign the agreement that our law requires, before the first upload?</li>
            <li>
              Where are recordings and texts processed and stored, and by which subcontractors?
            </li>
            <li>Is anything we send used to train models?</li>
            <li>When is it deleted, and how is that shown to us?</li>
            <li>On which recordings was your accuracy measured, and may we repeat it on ours?</li>
            <li>How does the text show what the engine was unsure of?</li>
            <li>Can every word be played back from the text?</li>
            <li>Does the engine know our specialty’s vocabulary, and can we add to it?</li>
            <li>What is logged about access, and can we see it?</li>
            <li>What happens to our data when we leave?</li>
          </ol>
          <p>
            We put these to ourselves. Our answer to the first is no, and so the honest advice on
            this page is to choose, for patient data, somebody whose answer is yes.
          </p>
        </>
      ),
    },
  ],
}
