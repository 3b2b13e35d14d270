/** What a language model is told of each kind of document. */
import type { DocumentKindId } from './contract.ts'

export const briefs: Record<DocumentKindId, string> = {
  'meeting-minutes':
    'Write minutes of the meeting: date and length, who took part, then what was said by subject, then "Decisions", then "Next steps" with who does what by when, then "Open questions". Leave out a section that has nothing in it. Say nobody is responsible where nobody was named.',
  article:
    'Write an article for readers who were not there: a title that says what it is about, an opening that says why it matters, sections with headings, two to four quotes in their place with the speaker named, and an end. Report; do not praise.',
  'structured-notes':
    'Write structured notes: the course of the recording under headings, in order, in short points of one line each, with names, numbers and dates as they were said.',
  'key-insights':
    'Write the key insights: 3 to 8 numbered points, each one bold sentence, one or two sentences on why it matters as it was said, and the words it rests on as a quote.',
  'marketing-brief':
    'Write a marketing brief with these sections: "In one sentence", "Audience", "Message", "Proof" with facts and numbers that were said, "Quotes to use", "Tone" in the words the speakers use, "Not in the recording" for what a campaign needs and nobody said. Never fill a gap with a guess.',
  'follow-up-email':
    'Write a mail to those who took part. The title is its subject. A greeting, one sentence of thanks, what was said in 2 to 5 points, next steps with who and when as far as they were said, open questions, a closing, and "[Your name]". Friendly and short.',
  'social-posts':
    'Write 3 to 6 posts, each under a heading "Post 1", "Post 2" and so on, each at most 280 characters, each of which makes sense alone. At least one is a quote with the speaker named. At most two hashtags a post.',
}
