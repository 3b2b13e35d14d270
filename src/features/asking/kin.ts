/**
 * Words that people ask with, and words that are said in their place: a question for the price is
 * answered with what it cost. There are a few everyday groups in the languages that are asked most; for
 * other languages there are none, and nothing is lost. No vectors: a group can be read, and mended by
 * anybody who speaks the language.
 */
import { stemOf } from '#features/writing/tokens.ts'
import { fold } from '#shared/fold.ts'

/** Groups of words, parted by `|`. */
const groups: Record<string, string> = {
  en: `money budget funds finances spend spent | price cost fee charge pay paid expensive cheap |
    employee staff worker team colleague crew | job profession career occupation |
    begin began start launch | end finish stop | fix repair mend | broken damaged defect |
    problem issue trouble fault error bug | buy bought purchase order |
    husband wife married marry spouse | child children kid son daughter | boss manager director |
    car vehicle | holiday vacation | phone call ring rang | letter email mail |
    die died dead death killed | fall fell collapse | steal stole stolen theft thief rob |
    idea proposal suggestion propose suggest | advice recommend recommendation tip |
    customer client passenger user guest visitor | late delay | refuse reject decline |
    hire recruit | quit resign | exam test | house home flat apartment |
    old age elderly | ill sick disease | show demonstrate | meet met meeting appointment |
    teach taught learn learnt learned | earn salary wage income | danger dangerous risk`,
  de: `geld budget mittel finanzen | preis kosten kostet teuer billig gebühr zahlen bezahlt |
    mitarbeiter angestellte kollege personal team | beruf arbeit job | anfang anfangen beginn start |
    ende enden aufhören schluss | reparieren reparatur | kaputt defekt beschädigt |
    problem schwierigkeit fehler ärger | kaufen gekauft anschaffen bestellen |
    mann frau ehe heiraten verheiratet | kind kinder sohn tochter | chef leiter vorgesetzte |
    auto wagen fahrzeug | urlaub ferien | anrufen telefon | brief mail schreiben |
    sterben gestorben tot tod | stehlen gestohlen diebstahl | idee vorschlag vorschlagen |
    rat tipp empfehlen | kunde besucher gast | verspätung spät | ablehnen abgelehnt |
    kündigen kündigung | prüfung klausur | wohnung haus | krank krankheit | treffen termin sitzung`,
  es: `dinero presupuesto fondos | precio coste cuesta caro barato pagar euros |
    empleado trabajador personal equipo | oficio profesión trabajo | empezar comenzar inicio |
    terminar acabar fin | arreglar reparar | roto averiado | problema dificultad fallo |
    comprar compra | marido esposo mujer esposa casar casamos boda matrimonio |
    hijo hija niño niña | jefe director | coche vehículo | vacaciones fiesta | llamar teléfono |
    carta correo | morir murió muerto muerte | robar robo ladrón | idea propuesta proponer |
    consejo recomendar | cliente pasajero visitante | retraso tarde | rechazar negar |
    examen prueba | casa vivienda piso | enfermo enfermedad | reunión cita`,
  fr: `argent budget fonds | prix coût coûte cher payer euros | employé salarié personnel équipe |
    métier profession travail | commencer début démarrer | finir fin arrêter | réparer réparation |
    cassé abîmé panne | problème difficulté souci | acheter achat | mari femme épouse marier mariage |
    enfant fils fille | chef patron directeur | voiture véhicule | vacances congé |
    appeler téléphone | lettre courriel mail | mourir mort décès | voler vol voleur |
    idée proposition proposer | conseil recommander | client passager visiteur | retard tard |
    refuser rejeter | examen épreuve | maison logement appartement | malade maladie | réunion rendez-vous`,
}

const known = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>()

/** The stems of words that may be said in place of one with this stem. */
export function kinOf(stem: string, code: string): ReadonlySet<string> {
  let kin = known.get(code)
  if (!kin) {
    kin = new Map(
      (groups[code] ?? '').split('|').flatMap((group) => {
        const stems = new Set(
          group
            .split(/\s+/)
            .filter(Boolean)
            .map((word) => fold(stemOf(word, code)).text),
        )
        return [...stems].map((one): [string, ReadonlySet<string>] => [one, stems])
      }),
    )
    known.set(code, kin)
  }
  return kin.get(stem) ?? none
}

const none: ReadonlySet<string> = new Set()
