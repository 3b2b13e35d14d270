/**
 * What the extractive engine knows of each language: the words that say nothing, how people greet
 * and fill pauses, and how they announce something that matters. Written for speech: the stop
 * words of the library come from written text and know no "um" and no "gonna".
 */
import * as stopword from 'stopword'

export interface Language {
  code: string
  /** Words without content of their own. A topic never begins or ends with one. */
  stopWords: ReadonlySet<string>
  /** What may begin a sentence and can be left out: "So, um, you know, the launch…". */
  opening: RegExp
  /** The single words of it. */
  openers: ReadonlySet<string>
  /** Sounds between words, left out wherever they stand. */
  sounds: ReadonlySet<string>
  /** Words after which no sentence ends: a break there is a pause for breath. */
  leadsOn: ReadonlySet<string>
  /** Words that begin a new clause, where a run-on may be cut. */
  clauseStarts: ReadonlySet<string>
  /** What ties a clause to the one before: "and", "because". */
  connectives: ReadonlySet<string>
  /** Words that point back: a sentence beginning with one cannot stand alone. */
  pointers: ReadonlySet<string>
  /** A noun follows: "the", "our". Empty where a language has no such words. */
  determiners: ReadonlySet<string>
  /** What holds a noun phrase together: "aceite *de* oliva". */
  links: ReadonlySet<string>
  /** Says what was decided, what must be done, why, or how much. Global, to be counted. */
  cues: RegExp
  /** Says what was decided, or what somebody will do. Looked for in lower case. */
  steps: RegExp
  /** Greetings, thanks and goodbyes. */
  courtesies: RegExp
  /** Questions that carry no question mark, as recognisers write them. */
  questions: RegExp
  abbreviations: RegExp
  /** Words are not separated by spaces. */
  isUnspaced: boolean
}

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)
const never = /(?!)/

/** Word boundaries that also hold for letters outside ASCII. */
function phrases(text: string): RegExp {
  const parts = words(text).map((part) => part.replaceAll('_', '\\s+').replaceAll('*', '\\p{L}*'))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}

/** Begins of words: "beschl" stands for "beschlossen" as well. */
const beginnings = (text: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${text})`, 'u')

/** A language as it is written down: lists are text, with a space between words. */
type Sheet = { library: readonly string[] } & Partial<
  Pick<Language, 'cues' | 'steps' | 'courtesies' | 'questions' | 'isUnspaced'> &
    Record<
      | 'stop'
      | 'openers'
      // Left out only before a comma or stop: "No, the backup exists", but "No backup exists".
      | 'remarks'
      // An opener before one of these is none: "so far", "you know that".
      | 'notBefore'
      | 'sounds'
      | 'leadsOn'
      | 'clauseStarts'
      | 'connectives'
      | 'pointers'
      | 'determiners'
      | 'links'
      | 'abbreviations',
      string
    >
>

const sheets: Record<string, Sheet> = {
  en: {
    library: stopword.eng,
    stop: `he's she's it's that's there's here's what's who's let's i'm i'll i've i'd you're you'll
      you've you'd we're we'll we've we'd they're they'll they've they'd don't doesn't didn't isn't
      aren't wasn't weren't won't wouldn't can't couldn't shouldn't hasn't haven't hadn't ain't
      y'all um uh uhm erm er hmm mm mhm huh ah oh ooh eh hey wow yeah yep yup yes no nope nah okay
      ok alright right sure just really actually basically literally kind sort kinda sorta gonna
      wanna gotta lemme dunno cause cuz ya gimme maybe perhaps probably definitely obviously
      honestly anyway anyways exactly absolutely totally quite pretty rather almost already always
      often sometimes usually again ever yet soon later today tomorrow yesterday tonight ago say
      says saying tell told telling talk talking talked think thinking thought know knows knowing
      knew known mean means meant guess suppose hope feel felt go goes going gone went comes coming
      see sees seeing saw seen look looks looking looked want wants wanted need needs needed makes
      making let lets put puts takes taking took taken give gives gave given keep keeps kept use
      uses using used try trying tried happen happens happened happening doing done getting gotten
      having us mine yours hers ours theirs something anything nothing everything someone anyone
      everyone nobody somebody anybody everybody thing things stuff lot lots bit bits ways kinds
      sorts guy guys one ones two three four five six seven eight nine ten first second third next
      last few several good great nice bad big small little new old different long high low best
      better able not nor so however although though whether without within during until upon per
      via else every either neither whole own back away around off down ahead thank thanks please
      sorry hello hi bye goodbye morning welcome may shall cannot i'ma im ive dont thats its`,
    openers: `um uh uhm erm er hmm mm mhm ah oh ooh eh hey yeah yep yup okay ok alright well so now and but
      anyway anyways actually basically honestly seriously you_see like_i_said the_thing_is then you_know i_mean i_guess of_course to_be_honest
      let_me_see let_me_think by_the_way`,
    remarks: `wow i_know i_see no_question fair_point oh_my_god ha there_you_go yes no nope right sure look listen see like exactly absolutely great perfect good fine cool
      thanks thank_you all_right sorry really`,
    notBefore: `many much far long that few little called what how why if where who when which to of being`,
    sounds: 'um uh uhm erm er hmm mm mhm ah eh',
    leadsOn: `a an the my your our their its his and or but because if when while than of from with
      into onto as to very against alongside between during without toward towards
      i we he she they who whose i'm we're they're you're it's there's um uh`,
    clauseStarts: `and but so then now well however i we they he she it there this that these you
      i'm i'll i've i'd we're we'll we've we'd they're they'll he's she's it's there's that's you're
      you'll you'd first second third finally also what oh okay um`,
    connectives: `and but so or because if when while although though which who that whereas unless
      until since then where whether before after`,
    pointers:
      "it he she they that this those these him them there which such it's he's she's they're that's",
    determiners: 'a an the my your our their its his her this these those some any every each no',
    links: '',
    cues: phrases(`decid* decision* agree* approv* must need_to needs_to have_to has_to should will
      going_to gonna plan* propos* suggest* recommend* important* essential key crucial critical main
      goal aim deadline problem* issue* risk* reason* because therefore result* conclu* sum_up
      in_summary summar* first second third finally percent million billion thousand increase*
      decrease* grew fell cost* most never always discover* found show* means cause* talk_about
      about_today move* responsible before until by_(?:monday|tuesday|wednesday|thursday|friday)`),
    steps: beginnings(
      "(?:we|i|they|you|he|she) (?:will|shall|need to|have to|should|must|agreed|decided)|(?:we|i|they|you)['’]ll|let['’]s|let us|(?:is|are|was) going to|(?:we|they)['’]re going to|i['’]m going to|decided (?:to|that|on)|agreed (?:to|that|on)|(?:made|make) (?:the|a) decision|action item|next step|deadline|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow|next week|the end of)|responsible for|make sure|follow up",
    ),
    courtesies: phrases(`good_(?:morning|afternoon|evening|day|night) hello hi hey welcome thanks
      thank_you bye goodbye see_you have_a_(?:nice|good|great) how_are_you can_you_hear nice_to_meet
      you_too take_care sorry no_problem my_name_is how_can_i_help any_questions sounds_good
      i'm_happy let's_(?:start|begin) let_me_(?:begin|start|check|see|give) just_a_(?:second|moment|minute)`),
    questions:
      /^(?:(?:so|and|but|well|okay|um|uh|yeah)[,\s]+)*(?:what|why|how|who|where|which|whose|do|does|did|is|are|was|were|can|could|would|should|will|have|has|shall)\s+(?:i|you|we|he|she|it|they|the|that|this|there|your|my|our|about|is|are|was|were|do|does|did|can|could|would|should|will|happens?|else|much|many|long)\b/i,
    abbreviations:
      'mr mrs ms dr prof st vs etc e.g i.e no inc ltd jr sr approx dept fig vol p pp u.s',
  },
  de: {
    library: stopword.deu,
    stop: `äh ähm öh hm hmm mhm tja naja halt okay ok genau einfach eigentlich sozusagen quasi
      irgendwie klar stimmt gestern sagen sehen glaube glauben finde finden ding dinge sachen frage
      fragen leute danke bitte hallo guten abend gäbe möchten bisschen art weise prozent euro
      million millionen tausend hundert monat monate monaten woche wochen moment montag dienstag
      mittwoch donnerstag freitag samstag sonntag januar februar märz april mai juni juli august
      september oktober november dezember anfang mitte seite seiten drittel hälfte viertel haus
      hause`,
    openers: `äh ähm öh hm hmm mhm tja naja okay ok und aber`,
    remarks: `genau also so nun ja nein doch gut dann ich_meine wissen_sie weißt_du klar stimmt richtig danke`,
    sounds: 'äh ähm öh hm hmm mhm',
    leadsOn: `der den dem des ein eine einen einem einer eines und oder aber weil dass wenn ob als wie
      zu im am vom für bei aus nach über unter vor durch um ich wir sehr mein meine unser unsere ihre`,
    clauseStarts: `und aber oder weil dass wenn denn dann also so jetzt deshalb deswegen trotzdem
      außerdem ich wir er sie es das die der dieser diese dieses man da`,
    connectives: 'und aber oder weil dass wenn denn dann also deshalb ob als bevor damit',
    pointers: 'er sie es das dies diese dieser dieses davon dafür dazu damit dort da dabei darüber',
    determiners: `der die das den dem des ein eine einen einem einer eines mein meine unser unsere
      ihr ihre sein seine dieser diese dieses diesem diesen kein keine jeder jede jedes im am zum zur
      vom beim`,
    cues: phrases(`entscheid* entschied* beschl* vereinbar* muss müssen soll* sollte* wichtig* problem*
      grund deshalb deswegen daher weil ziel* ergebnis* plan* vorschl* insgesamt zusammenfass*
      erstens zweitens schließlich prozent million* tausend euro kostet kosten dauer* hälfte bis
      spätestens frist steig* sink* geht_es_um`),
    steps: beginnings(
      '(?:wir|ich|sie) (?:werden|werde|müssen|muss|sollten|sollte|wollen|machen|haben (?:beschlossen|entschieden|vereinbart))|beschl|entschieden|vereinbart|bis (?:montag|dienstag|mittwoch|donnerstag|freitag|morgen|ende)|nächste schritt|frist|zuständig',
    ),
    courtesies: phrases(`guten_(?:morgen|tag|abend) hallo willkommen danke dank vielen_dank tschüss
      auf_wiedersehen wie_geht entschuldigung kommen_sie_gut freue_mich schönen_tag berechtigte_frage
      gute_frage gern_geschehen`),
    questions:
      /^(?:(?:und|aber|also|ja|äh|ähm)[,\s]+)*(?:was|warum|wieso|wie|wer|wo|wann|welche[rsn]?|wohin|woher|kann|können|haben|hat|ist|sind|soll|sollen)\s/i,
    abbreviations: 'z.b u.a d.h bzw usw ca dr prof nr str evtl ggf inkl bspw hr fr st',
  },
  es: {
    library: stopword.spa,
    stop: `eh este esta esto estos estas esa esos esas aquel aquella pues bueno vale entonces sea
      así menos mucho mucha muchos muchas todo toda todos todas otra otros otras si cómo cuándo
      dónde quién cuál cuánto aunque entre hacia según antes después luego ahora hoy ayer mañana
      siempre nunca tampoco solo sólo casi tan tanto cada mismo misma les os mis tu tus nuestro
      nuestra nuestros nuestras yo usted ustedes ellos ellas nosotros ser es son era eran fue fueron
      sido siendo soy somos estar está están estaba estaban estoy estamos haber hay ha han he hemos
      había habían sean tener tiene tienen tengo tenemos tenía hacer hace hacen hago hacemos hecho
      ir va van voy vamos iba poder puede pueden puedo podemos podría decir dice dicen digo dijo
      quiero quiere queremos querer saber sé sabe sabemos creo cree ver veo parece parecen gusta
      gustan quedar queda debe deben bien mal mejor peor gran grande buena buenos buenas verdad cosa
      cosas vez veces gente día días año años mes meses semana semanas hora horas momento manera
      forma parte tipo gracias hola adiós acuerdo favor primer primero primera segundo tercero
      último última lunes martes miércoles jueves viernes sábado sábados domingo domingos enero
      febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre próximo
      próxima pasado ciento mil millón millones euros dólares dos tres cuatro cinco seis siete ocho
      nueve diez veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien mitad nada
      algo alguien nadie además`,
    openers: `eh bueno pues vale entonces y pero o_sea mira oye a_ver`,
    remarks: `sí no claro ya es_que verdad gracias`,
    sounds: 'eh em mmm hm',
    leadsOn: `el la los las un una unos unas de del al en con por para y e o u que se su sus mi mis muy
      más como sin sobre porque cuando`,
    clauseStarts: `y pero porque entonces pues así cuando aunque luego además también yo nosotros ellos
      él ella esto eso hay ahora después si`,
    connectives: 'y pero porque entonces cuando aunque que si pues',
    pointers: 'él ella ellos ellas esto eso ese esa esos esas lo la los ahí allí',
    determiners: `el la los las un una unos unas del al mi mis tu tus su sus nuestro nuestra nuestros
      nuestras este esta estos estas ese esa cada`,
    links: 'de del de_la por para',
    cues: phrases(`decid* acord* aprob* hay_que tiene_que tienen_que se_tiene debe* importante* problema*
      propuesta propon* porque por_eso resultado* plan* objetivo* en_resumen conclu* primero segundo
      finalmente por_ciento mil millon* cuesta costo coste precio antes_del? aument* reduc* subid*
      menor mayor fecha necesit*`),
    steps: beginnings(
      'vamos a|hay que|tenemos que|tengo que|debemos|acordamos|decidimos|decisión|hemos decidido|antes del|para el (?:lunes|martes|miércoles|jueves|viernes)|próximo paso|plazo|responsable',
    ),
    courtesies: phrases(`buenos_días buenas_(?:tardes|noches) hola gracias muchas_gracias adiós
      hasta_luego bienvenid* de_nada qué_tal cómo_está* perdón de_acuerdo vamos_a_empezar`),
    questions:
      /^(?:(?:y|pero|pues|bueno|entonces)[,\s]+)*[¿]|^(?:y\s+)?(?:qué|cómo|cuándo|dónde|quién|cuál|cuánto|por qué)\s/i,
    abbreviations: 'sr sra srta dr dra ud uds ej p.ej etc núm',
  },
  fr: {
    library: stopword.fra,
    stop: `euh hein ben bah bon voilà donc alors ouais oui non si quoi enfin genre ça c'est c'était
      n'est d'accord qu'on qu'il j'ai j'étais est-ce dont quand comme comment pourquoi combien très
      plus moins bien mal mieux aussi encore toujours jamais déjà là maintenant aujourd'hui hier
      demain peu beaucoup trop assez tout toute tous toutes autre autres mêmes quelque quelques
      chaque plusieurs rien personne chose choses fois truc gens jour jours an ans année années mois
      semaine semaines heure heures moment façon manière part partie temps côté faut va vais vont
      allez allons aller fait font dit dire peut peux pouvons pouvoir veut veux vouloir doit dois
      devoir sait sais savoir voir vois vient venir prend prendre met mettre crois pense parle
      parler elles car ni or sous chez entre vers avant après pendant depuis jusqu'à parce merci
      bonjour bonsoir salut revoir monsieur madame premier première deuxième dernier dernière
      prochain prochaine cent mille million millions euros deux trois quatre cinq six sept huit neuf
      dix douze quinze vingt trente quarante cinquante moitié choix lundi mardi mercredi jeudi
      vendredi samedi dimanche janvier février mars avril mai juin juillet août septembre octobre
      novembre décembre tôt tard petit petite grand grande bonne nouveau nouvelle lors`,
    openers: `euh hein ben bah donc alors ouais et mais`,
    remarks: `oui non bon voilà enfin là d'accord je_veux_dire tu_vois vous_voyez merci`,
    sounds: 'euh hum hm',
    leadsOn: `le la les un une des du de à au aux en dans et ou mais que qui si pour par sur avec sans ce
      cette ces mon ma mes son sa ses notre nos il elle on nous je très parce`,
    clauseStarts: `et mais donc alors parce car quand si puis ensuite je nous on il elle ils elles c'est
      ça y maintenant après`,
    connectives: 'et mais donc alors parce car quand si que qui puis',
    pointers: `il elle ils elles ça cela ceci c'est c'était là y celui-ci celle-ci`,
    determiners: `le la les un une des du au aux l l' mon ma mes ton ta tes son sa ses notre nos votre vos
      leur leurs ce cet cette ces chaque`,
    links: `de du des d' à`,
    cues: phrases(`décid* décision* propos* il_faut doit doivent devr* important* problème* parce_que
      c'est_pour_ça donc résultat* objectif* plan* en_résumé conclu* premièrement deuxièmement enfin
      pour_cent mille million* coût* prix budget avant_la augment* rédui* limit* demande condition`),
    steps: beginnings(
      "on va|nous allons|je vais|il faut|nous devons|on doit|décidé|convenu|décision|d['’]ici|avant (?:lundi|mardi|mercredi|jeudi|vendredi)|prochaine étape|échéance|responsable",
    ),
    courtesies:
      phrases(`bonjour bonsoir salut merci au_revoir bienvenue enchanté* comment_(?:ça|allez)
      de_rien bonne_journée d'accord pardon à_bientôt on_va_commencer`),
    questions:
      /^(?:(?:et|mais|alors|donc)[,\s]+)*(?:qu'est-ce|est-ce|pourquoi|comment|quand|où|qui|quel(?:le)?s?|combien)\b/i,
    abbreviations: 'm mm mme mlle dr pr etc p.ex cf env',
  },
  it: {
    library: stopword.ita,
    stop: `eh ehm beh mah allora quindi cioè insomma ecco va bene okay ok sì no però anzi magari
      proprio molto poco meno tanto tutta tutte altro altra altri altre stesso stessa ogni qualche
      alcuni alcune niente nulla qualcosa qualcuno cosa cose volta volte gente giorno giorni anno
      anni mese mesi settimana settimane ora ore adesso oggi ieri domani sempre mai già ancora poi
      dopo prima quando solo soltanto quasi così essere stato stata avere fare fatto fa andare vanno
      dire dice detto può possono posso possiamo potere deve devono devo dobbiamo dovere vuole
      voglio vogliamo volere so sa sapere credo penso vedere parte modo tipo momento grazie ciao
      buongiorno buonasera prego arrivederci bello buono grande nuovo nuova lunedì martedì mercoledì
      giovedì venerdì sabato domenica gennaio febbraio marzo aprile maggio giugno luglio agosto
      settembre ottobre novembre dicembre primo secondo ultimo ultima prossimo prossima cento mila
      milione milioni euro due tre quattro cinque sette otto nove dieci metà`,
    openers: `eh ehm beh mah allora quindi cioè insomma e ma`,
    remarks: `sì no ecco okay ok dunque bene va_bene certo grazie`,
    sounds: 'eh ehm mmm hm',
    leadsOn: `il lo la i gli le un uno una di del della dei degli delle a al alla in nel nella con per su
      dal e o ma che se non molto più come perché`,
    clauseStarts: `e ma perché quindi allora poi quando se anche io noi loro lui lei questo quello c'è
      adesso dopo`,
    connectives: 'e ma perché quindi allora quando se che',
    pointers: 'lui lei loro esso essa questo quello ciò ci',
    determiners: `il lo la i gli le l un uno una del dello della dei degli delle al allo alla ai agli alle
      nel nello nella nei nelle dal dalla sul sulla mio mia suo sua nostro nostra questo questa questi
      queste ogni`,
    links: 'di del della dei degli delle dello da per',
    cues: phrases(`decis* decid* approv* bisogna deve devono dobbiamo importante* problem* perché quindi
      risultat* obiettiv* propost* propon* riassum* conclu* primo secondo infine per_cento mila
      milion* costa costo prezzo entro aument* ridu* necessari*`),
    steps: beginnings(
      'dobbiamo|bisogna|andiamo a|faremo|decis|concordat|entro|prossimo passo|scadenza|responsabile|devo',
    ),
    courtesies:
      phrases(`buongiorno buonasera ciao salve grazie prego arrivederci benvenut* come_(?:sta|va)
      piacere scus* va_bene`),
    questions:
      /^(?:(?:e|ma|allora)[,\s]+)*(?:cosa|come|quando|dove|chi|quale|quali|quanto|quanti|perché)\s/i,
    abbreviations: 'sig sig.ra dott dr prof ecc es',
  },
  pt: {
    library: stopword.porBr,
    stop: `né tá hum ah eh então tipo olha gente dias semana semanas amanhã haver ir vou vamos
      podemos querer saber acho precisa olá oi tchau terça sábado domingo janeiro fevereiro março
      abril maio junho julho agosto setembro outubro novembro dezembro feira milhão milhões euros
      reais metade`,
    openers: `hum ah eh então e mas tipo`,
    remarks: `é né bom bem olha sim não pois aí claro obrigado obrigada`,
    sounds: 'hum hm eh ahn',
    leadsOn: `o a os as um uma de do da dos das em no na nos nas por pelo pela para com sem e ou mas que
      se não muito mais como porque seu sua meu minha`,
    clauseStarts: `e mas porque então aí quando se também eu nós eles ele ela isso isto há agora depois`,
    connectives: 'e mas porque então quando se que',
    pointers: 'ele ela eles elas isso isto aquilo esse essa lá aí',
    determiners: `o a os as um uma do da dos das no na nos nas ao à pelo pela meu minha seu sua nosso nossa
      este esta esse essa cada`,
    links: 'de do da dos das para por',
    cues: phrases(`decid* decis* aprov* precisa* tem_que têm_que deve* importante* problema* porque por_isso
      resultado* objetivo* plano* propost* resum* conclu* primeiro segundo finalmente por_cento mil
      milh* custa* custo preço até_o? aument* reduz* prazo necess*`),
    steps: beginnings(
      'vamos|temos que|tenho que|precisamos|devemos|decidi|combinamos|até (?:segunda|terça|quarta|quinta|sexta)|próximo passo|prazo|responsável',
    ),
    courtesies: phrases(`bom_dia boa_(?:tarde|noite) olá oi obrigad* tchau adeus bem-vind* tudo_bem
      de_nada até_logo desculp*`),
    questions:
      /^(?:(?:e|mas|então)[,\s]+)*(?:o que|como|quando|onde|quem|qual|quais|quanto|quantos|por que)\s/i,
    abbreviations: 'sr sra dr dra prof etc ex',
  },
  nl: {
    library: stopword.nld,
    stop: `eh uh uhm hm nou nee oké ok goed zeg hoor gewoon eigenlijk misschien echt best heel erg
      straks vandaag morgen gisteren nooit vaak soms waar wanneer waarom welke welk jullie jij jouw
      onze bent wordt hadden moeten moest mag mogen willen wilde zullen zouden gaat gaan ging doet
      deed gedaan zegt zeggen komt komen kwam ziet zien denk denken weet weten vind vinden maken
      maakt krijgen krijgt even iedereen niemand ding dingen keer mensen dag dagen jaar jaren maand
      maanden week weken uur tijd moment manier deel soort kant beetje paar weinig minder meest alle
      allemaal elke elk ander zelfde eerste tweede laatste volgende nieuw nieuwe oud oude groot
      grote klein kleine goede procent euro miljoen duizend honderd twee drie vier vijf zes zeven
      acht negen tien helft bedankt dank dankjewel hallo hoi doei welkom alstublieft onder tussen
      sinds tijdens maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari
      maart april mei juni juli augustus september oktober november december`,
    openers: `eh uh uhm hm nou oké ok en maar`,
    remarks: `ja nee goed dus dan zeg kijk precies bedankt`,
    sounds: 'eh uh uhm hm',
    leadsOn: `de het een en of maar want dat als om te in met voor van naar bij uit door over tot ik we
      wij heel erg mijn onze hun`,
    clauseStarts: `en maar want omdat dus dan toen als nu daarom ook ik we wij hij zij ze het er dat die`,
    connectives: 'en maar want omdat dus dan toen als dat',
    pointers: 'hij zij ze het dat dit die deze daar er daarvoor daarmee daarom',
    determiners: 'de het een mijn jouw zijn haar ons onze hun dit dat deze die elke elk geen',
    links: 'van',
    cues: phrases(`beslo* beslis* beslui* afgesproken moet moeten belangrijk* probleem problemen omdat
      daarom doel* resultaat resultaten plan* voorstel* samenvatt* ten_eerste ten_tweede tenslotte
      procent miljoen duizend kost kosten prijs voor_eind uiterlijk sti?jg* daal* nodig reden`),
    steps: beginnings(
      '(?:we|ik|ze) (?:gaan|ga|zullen|zal|moeten|moet)|besloten|afgesproken|voor (?:maandag|dinsdag|woensdag|donderdag|vrijdag)|volgende stap|verantwoordelijk',
    ),
    courtesies:
      phrases(`goedemorgen goedemiddag goedenavond goeden*_(?:morgen|avond) hallo hoi welkom
      bedankt dank_je dank_u dankjewel doei tot_ziens hoe_gaat sorry graag_gedaan`),
    questions:
      /^(?:(?:en|maar|dus)[,\s]+)*(?:wat|waarom|hoe|wie|waar|wanneer|welke?|kan|kunnen|heeft|is|zijn)\s/i,
    abbreviations: 'dhr mevr dr prof bijv nl enz bv nr ca',
  },
  ru: {
    library: stopword.rus,
    stop: `э эм мм ага угу эта этих этому здесь типа короче значит просто очень ещё также именно
      вообще наверное нужно должен должна должны будут буду завтра вчера сейчас который которая
      которое которые которого которой которых поэтому откуда почему зачем сколько кого кому оно неё
      нами вами наш наша наше наши ваш ваша свой своя своё свои весь всё всем сама сами другая
      другие каждый каждая такая такие первый первая первого второй третий последний следующий год
      года годы лет месяц месяца недели неделя день дня дней час часа время раза человек люди людей
      дело дела вещь вопрос часть сторона миллион миллиона миллионов тысяч тысячи тысяча рублей
      рубля процент процента процентов два две три четыре пять шесть семь восемь девять десять сто
      половина половину сказать говорить говорит думаю знаю знать хочу хотим делать сделать пойти
      идти идёт хорошо плохо правильно спасибо здравствуйте привет добрый пока пожалуйста свидания
      большой новый старый около готов готова готовы рад ко января февраля марта апреля мая июня
      июля августа сентября октября ноября декабря понедельник понедельника вторник вторника среда
      среду среды четверг четверга пятница пятницу пятницы суббота субботу субботы воскресенье`,
    openers: `э эм мм ну и а но значит короче итак`,
    remarks: `вот да нет ага угу так правильно хорошо спасибо`,
    sounds: 'э эм мм',
    leadsOn:
      'и а но или что чтобы если как к с у о в на по за из от до для при не очень это наш мой потому',
    clauseStarts:
      'и а но или что потому поэтому если когда тогда я мы он она они это вот теперь потом также',
    connectives: 'и а но или что потому поэтому если когда чтобы',
    pointers: 'он она оно они это этот эта эти там туда такой',
    cues: phrases(`реши* решен* договор* должен должна должны нужно надо важн* проблем* потому_что поэтому
      причин* результат* цел* план* предлага* предложен* итак в_итоге во-первых во-вторых наконец
      процент* миллион* тысяч* стоит стоимост* цен* до_первого срок* увелич* уменьш* половин*`),
    steps: beginnings(
      'нужно|надо|должны|решили|договорились|будем|сделаем|до (?:понедельника|вторника|среды|четверга|пятницы)|срок',
    ),
    courtesies:
      phrases(`здравствуйте привет добрый_(?:день|вечер) доброе_утро спасибо до_свидания пока
      пожалуйста как_дела извините добро_пожаловать`),
    questions:
      /^(?:(?:а|и|но|ну)[,\s]+)*(?:что|почему|как|кто|где|когда|сколько|какой|какая|какие|зачем)\s/i,
    abbreviations: 'т.е т.д т.п г гг др руб тыс млн млрд им ул стр см',
  },
  ar: {
    library: stopword.ara,
    stop: `يعني طيب أيوه والله هؤلاء لماذا أيضا جدا فقط ولكن لأن تكون كانوا ليس لقد سيكون أمس شهر
      أسبوع ساعة وقت مرة شيء أشياء ناس حوالي نصف ألف ملايين واحدة اثنان أربعة خمسة ستة سبعة ثمانية
      تسعة أول الأول شكرا مرحبا الخير النور جميعا خائف منه يبدأ يستمر تدفع يدفع يعمل يستطيع تستقبل
      نتحدث يقول قالت نريد أريد يجب سبتمبر الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد يناير
      فبراير مارس أبريل يونيو يوليو أغسطس أكتوبر نوفمبر ديسمبر`,
    openers: `يعني طيب آه`,
    remarks: `نعم لا شكرا`,
    sounds: 'آه اه ام',
    leadsOn: 'في من إلى على عن مع أن إن التي الذي و أو ثم لا لم لن',
    clauseStarts: 'و ثم لكن ولكن لأن إذا عندما أيضا نحن أنا هو هي هذا هذه',
    connectives: 'و ثم لكن ولكن لأن إذا عندما أن',
    pointers: 'هو هي هم ذلك هذا هذه',
    cues: phrases(`قرر* اتفق* يجب مهم مهمة مشكلة لأن بسبب نتيجة هدف خطة اقترح* اقتراح أولا ثانيا أخيرا
      خلاصة بالمئة مليون ملايين ألف تكلفة سعر نصف سوف يبدأ`),
    steps: beginnings('يجب|سوف|قررنا|اتفقنا|علينا|القرار|الموعد'),
    courtesies: phrases(`صباح_الخير مساء_الخير مرحبا أهلا السلام_عليكم شكرا مع_السلامة كيف_حال*`),
    questions: /^و?(?:هل|ماذا|متى|أين|كيف|لماذا|من هو|كم)\s/,
  },
  zh: {
    library: stopword.zho,
    stop: `呃 哦 哎 那个 这个 就是 然后 所以 因为 但是 可是 不过 而且 如果 虽然 还是 或者 以及 好 是的 没有 我们 你们 他们 她们 它们 大家 自己 什么 怎么 怎么办
      为什么 哪里 这里 那里 这样 那样 这些 那些 一个 一些 一次 一点 一下 可以 能 能够 应该 必须 需要 要 想 星期一 星期二 星期三 星期四 星期五 星期六 星期日 周一 周二
      周三 周四 周五 周末 觉得 认为 知道 希望 喜欢 开始 进行 继续 决定 讨论 负责 安排 保留 保存 根据 是否 成为 今天 明天 昨天 现在 以后 以前 之后 之前 时候 时间
      每周 每天 每位 下个月 上个月 今年 明年 去年 两天 六个月 问题 事情 东西 方面 非常 很多 最 再 已经 正在 一直 才 只 没 给 让 被 从 对于 关于 先 后 上 下 里
      谢谢 你好 早上好 再见 重要 人 人们 百分之 新 二 三 四 五 六 七 八 九 十 百 千 万 两 台 位 次 因此 结果 通过 使用 工作`,
    openers: `嗯 呃 啊 哦 然后 所以 就是 但是`,
    remarks: `那 对 好 是的 没有 谢谢`,
    sounds: '嗯 呃',
    pointers: '他 她 它 他们 这 那',
    cues: /决定|必须|需要|应该|重要|问题|因为|所以|计划|建议|目标|结果|首先|其次|最后|总之|百分之|万|费用|成本|截止|开始|每/gu,
    steps: /(?:必须|需要|决定|应该|我们会|同意|截止|下一步|负责)/u,
    courtesies: /大家好|你好|早上好|晚上好|谢谢|再见|欢迎|不客气|对不起/u,
    questions: /[吗呢]$|怎么办|为什么|什么时候/u,
    isUnspaced: true,
  },
  ja: {
    library: stopword.jpn,
    stop: `ええと えー えっと あの まあ はい いいえ うん そう そうです ました でした ません します した して います あります なります あれ そこ どこ いつ いくら 何
      誰 今 今日 昨日 明日 今年 去年 来年 再来年 今月 来月 来月末 先月 今週 来週 約 半分 近く 予定 利用 話 皆さん 方 人 私 私たち 時 年 月 日 分 円 億 万 一 二
      三 四 五 六 七 八 九 十 二十億円 五十台分 台分 一月 二月 三月 五月 六月 七月 八月 九月 十月 十一月 十二月 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 四月
      考え 必要 大切 重要 問題 場合 以上 以下 以外 全部 最初 最後 次 前 後 上 下 中 新しい 古い 多い ありがとう おはよう こんにちは こんばんは お願い 質問 意見`,
    openers: `ええと えーと えー えっと まあ それでは では じゃあ それで`,
    remarks: `あの はい いいえ うん そうですね おはようございます`,
    sounds: 'ええと えーと えー えっと',
    pointers: 'それ これ あれ そこ 彼 彼女 そのうち そのため',
    cues: /決定|決ま|必要|重要|大切|問題|なぜなら|だから|ため|計画|予定|提案|目標|結果|まず|次に|最後|まとめ|パーセント|億|万|費用|締め切り|まで/gu,
    steps: /(?:決め|決定|必要|ましょう|します|までに|予定|担当|次の)/u,
    courtesies: /おはよう|こんにちは|こんばんは|ありがとう|よろしく|失礼|すみません|お願いします/u,
    questions: /か[。？?]?$/u,
    isUnspaced: true,
  },
  ko: {
    library: stopword.kor,
    stop: `아니요 음 뭐 이제 그냥 진짜 정말 아주 매우 너무 항상 때문 내 그것 오늘 내일 어제 지금 지난 지난달 내년 작년 올해 수 더 다시 한 두 세 열 백 천 만
      명 원 개 번 시 퍼센트 대해 대상 직접 예정 계획 월요일 화요일 수요일 목요일 금요일 토요일 일요일 전체 생각 말 사람 감사합니다 안녕하세요 안녕히 없다 하다 되다
      이다 합니다 했습니다 있습니다 입니다 됩니다 이야기`,
    openers: `음 어 이제 그래서 그리고 그런데`,
    remarks: `네 예 그 저 뭐 자`,
    sounds: '음 어',
    pointers: '그것 이것 그는 그녀는 그들은',
    cues: /결정|해야|필요|중요|문제|때문|계획|예정|제안|목표|결과|먼저|마지막|결론|퍼센트|비용|까지|늘리|줄/gu,
    steps: /(?:결정|해야|하겠|하기로|합의|까지|다음 단계|담당)/u,
    courtesies: /안녕하|감사|고맙|반갑|죄송|여러분\.?$/u,
    questions: /(?:까|나|가)요\??$|니까\??$/u,
  },
}

/** Languages a recogniser may hear although no summary can be asked for in them: stop words only. */
const others: Record<string, readonly string[]> = {
  pl: stopword.pol,
  sv: stopword.swe,
  tr: stopword.tur,
  uk: stopword.ukr,
}

const known = new Map<string, Language>()

/** What is known of a language, by its ISO 639-1 code; of an unknown one, nothing. */
export function languageOf(code: string): Language {
  const short = code.toLowerCase().split(/[-_]/)[0] ?? ''
  let language = known.get(short)
  if (!language) {
    language = fromSheet(short, sheets[short] ?? { library: others[short] ?? [] })
    known.set(short, language)
  }
  return language
}

function openingOf({ openers = '', remarks = '', notBefore = '', isUnspaced }: Sheet): RegExp {
  const oneOf = (text: string): string => {
    // The longest first, or "you" would win over "you know".
    const longestFirst = words(text).toSorted((a, b) => b.length - a.length)
    return longestFirst.length > 0 ? longestFirst.join('|').replaceAll('_', '\\s+') : '(?!)'
  }
  const mark = '\\s*[,،、，.。!…]+\\s*'
  const gap = isUnspaced ? `(?:${mark})?` : `(?:${mark}|\\s+(?!(?:${oneOf(notBefore)})(?!\\p{L})))`
  const all = oneOf(`${openers} ${remarks}`)
  return new RegExp(`^(?:(?:${all})${mark}|(?:${oneOf(openers)})${gap})(?=\\S)`, 'iu')
}

function fromSheet(code: string, sheet: Sheet): Language {
  const set = (text = ''): Set<string> => new Set(words(text))
  return {
    code,
    stopWords: new Set([...sheet.library.map((word) => word.toLowerCase()), ...set(sheet.stop)]),
    opening: openingOf(sheet),
    openers: new Set([...set(sheet.openers), ...set(sheet.remarks)]),
    sounds: set(sheet.sounds),
    leadsOn: set(sheet.leadsOn),
    clauseStarts: set(sheet.clauseStarts),
    connectives: set(sheet.connectives),
    pointers: set(sheet.pointers),
    determiners: set(sheet.determiners),
    links: set(sheet.links),
    cues: sheet.cues ?? never,
    steps: sheet.steps ?? never,
    courtesies: sheet.courtesies ?? never,
    questions: sheet.questions ?? never,
    abbreviations: sheet.abbreviations
      ? new RegExp(
          `(?:^|[\\s(])(?:${words(sheet.abbreviations)
            .map((word) => word.replaceAll('.', '\\.'))
            .join('|')}|\\p{L})\\.\\s*$`,
          'iu',
        )
      : never,
    isUnspaced: sheet.isUnspaced ?? false,
  }
}

/** Scripts that tell the language by themselves. */
const scripts: readonly [script: RegExp, code: string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
]

/** The language of a text whose recogniser did not say: by its script, else by its stop words. */
export function guessLanguage(text: string): string {
  const sample = text.slice(0, 20_000).toLowerCase()
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  for (const [script, code] of scripts)
    if ((sample.match(script)?.length ?? 0) > letters * 0.2) return code

  const found = sample.match(/\p{L}+/gu) ?? []
  const shares = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'tr'].map((code) => {
    const { stopWords } = languageOf(code)
    return { code, hits: found.filter((word) => stopWords.has(word)).length }
  })
  return shares.reduce((most, next) => (next.hits > most.hits ? next : most)).code
}
