/** How people say what was decided and what they will do, by language; looked for in lower case. */
const edge = '(?<![\\p{L}\\p{N}])'
const said = (phrases: string): RegExp => new RegExp(`${edge}(?:${phrases})`, 'u')
const never = /(?!)/

const steps: Record<string, RegExp> = {
  en: said(
    "(?:we|i|they|you|he|she) (?:will|shall|need to|have to|should|must|agreed|decided)|(?:we|i|they|you)['’]ll|let['’]s|let us|(?:is|are|was) going to|(?:we|they)['’]re going to|i['’]m going to|decided (?:to|that|on)|agreed (?:to|that|on)|(?:made|make) (?:the|a) decision|action item|next step|deadline|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow|next week|the end of)|responsible for|make sure|follow up",
  ),
  de: said(
    '(?:wir|ich|sie) (?:werden|werde|müssen|muss|sollten|sollte|wollen|machen|haben (?:beschlossen|entschieden|vereinbart))|beschl|entschieden|vereinbart|bis (?:montag|dienstag|mittwoch|donnerstag|freitag|morgen|ende)|nächste schritt|frist|zuständig',
  ),
  es: said(
    'vamos a|hay que|tenemos que|tengo que|debemos|acordamos|decidimos|decisión|hemos decidido|antes del|para el (?:lunes|martes|miércoles|jueves|viernes)|próximo paso|plazo|responsable',
  ),
  fr: said(
    "on va|nous allons|je vais|il faut|nous devons|on doit|décidé|convenu|décision|d['’]ici|avant (?:lundi|mardi|mercredi|jeudi|vendredi)|prochaine étape|échéance|responsable",
  ),
  it: said(
    'dobbiamo|bisogna|andiamo a|faremo|decis|concordat|entro|prossimo passo|scadenza|responsabile|devo',
  ),
  pt: said(
    'vamos|temos que|tenho que|precisamos|devemos|decidi|combinamos|até (?:segunda|terça|quarta|quinta|sexta)|próximo passo|prazo|responsável',
  ),
  nl: said(
    '(?:we|ik|ze) (?:gaan|ga|zullen|zal|moeten|moet)|besloten|afgesproken|voor (?:maandag|dinsdag|woensdag|donderdag|vrijdag)|volgende stap|verantwoordelijk',
  ),
  ru: said(
    'нужно|надо|должны|решили|договорились|будем|сделаем|до (?:понедельника|вторника|среды|четверга|пятницы)|срок',
  ),
  ar: said('يجب|سوف|قررنا|اتفقنا|علينا|القرار|الموعد'),
  zh: /(?:必须|需要|决定|应该|我们会|同意|截止|下一步|负责)/u,
  ja: /(?:決め|決定|必要|ましょう|します|までに|予定|担当|次の)/u,
  ko: /(?:결정|해야|하겠|하기로|합의|까지|다음 단계|담당)/u,
}

export const stepsOf = (code: string): RegExp => steps[code] ?? never
