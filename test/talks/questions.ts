/**
 * Thirty questions as people ask them, mostly not in the words that were said, and the first words
 * of the right moment. They were written down before anything was tuned with them.
 */
import type { TalkName } from './talks.ts'

export const talkQuestions: [talk: TalkName | 'sample', question: string, moment: string][] = [
  ['ferry-launch', "Why can't customers get their money back automatically?", 'Right. So refunds'],
  ['ferry-launch', 'What did Okafor reply?', 'Mister oak a for'],
  ['ferry-launch', 'How long does boarding take with the scanners?', 'I timed it'],
  ['ferry-launch', 'Why do older people not want to use the app?', 'The people who would not'],
  ['ferry-launch', 'How much do the plastic cards cost?', 'I asked two printers'],
  ['ferry-launch', 'When does the south line begin?', 'Then it is decided. The south line'],
  ['ferry-launch', 'What did Kowalski say about the night boat?', 'Missus cow all ski said'],
  ['ferry-launch', 'How much of the budget is left?', 'So for this year we were given'],
  ['ferry-launch', 'What is broken on the Saint Anne?', "It's the toilets on the Saint Anne"],
  ['coffee-roaster', 'What was her job before she roasted coffee?', 'Oh no. Not at all'],
  ['coffee-roaster', 'Who lent her the money for the first machine?', 'My sister lent me'],
  ['coffee-roaster', 'How did the company survive the pandemic?', 'My son built a web shop'],
  ['coffee-roaster', 'Did an employee ever steal something?', 'Once. Somebody took money'],
  ['coffee-roaster', 'How many employees does she have?', 'Seven, with me'],
  ['coffee-roaster', 'What advice does she give to beginners?', "Don't buy a big machine"],
  ['bridges-lecture', 'Why did the Tay Bridge collapse?', 'now why did it fall'],
  ['bridges-lecture', 'Which animal died at Tacoma?', 'the only one who died that day'],
  ['bridges-lecture', 'How many bridges collapse every year?', 'more often than you think'],
  ['bridges-lecture', 'What had Morandi warned about?', 'and morandi himself had warned'],
  ['bridges-lecture', 'When is the exam?', 'the exam is on the twentieth'],
  ['bridges-lecture', 'How did they repair the Citicorp tower?', 'they welded two inch plates'],
  ['gartenverein', 'Wie teuer ist die Bohrung?', 'Der Kostenvoranschlag für die Bohrung'],
  ['gartenverein', 'Warum hat das Sommerfest Verlust gemacht?', 'Hauptsächlich an der Hüpfburg'],
  ['gartenverein', 'Wohin kommen die Bienenstöcke?', 'Er hat angeboten, die Stöcke'],
  ['gartenverein', 'Wie viele Familien warten auf einen Garten?', 'Auf der Warteliste stehen'],
  ['gartenverein', 'Was passiert mit dem Weinkeller?', 'Mit einem Weinkeller.'],
  ['faro', '¿Cuándo automatizaron el faro?', 'En el noventa y nueve'],
  ['faro', '¿Cómo conoció a su marido?', 'Después llegó Julián'],
  ['faro', '¿Cuántas personas se salvaron en el naufragio?', 'A trece.'],
  ['sample', 'What happened to the notes of the meeting?', 'I made some notes on paper'],
]
