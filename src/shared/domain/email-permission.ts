/** True if the member may get email. Only `subscribed` gets any; `pending` hasn't confirmed the subscription yet. */
export type ImportedMailStatus = 'subscribed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained'

/** `Désabonné(e)`, `DESABONNE_E` and `desabonne e` are the same, as are `firstName` and `First_Name:`. */
export const foldWord = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Separated by bars, folded; `/` gives another ending to the last letter, as in `abonado/a`. */
const words = (list: string): string[] =>
  list.split('|').flatMap((entry) => {
    const [word = '', ending] = entry.trim().split('/')
    return ending === undefined ? [word] : [word, `${word.slice(0, -1)}${ending}`, `${word} ${ending}`]
  })

/** Words that can only be about permission to send email. */
const clear: Record<ImportedMailStatus, string> = {
  subscribed: `subscribed|opted in|opt in|single opt in|double opt in|abonniert|angemeldet|abonne/ee|abonne e|inscrit/te
    |suscrito/a|inscrito/a|subscrito/a|iscritto/a|ingeschreven|aangemeld|geabonneerd|prenumererar|tilmeldt|pameldt|pamelding
    |zapisany/a|subskrybuje|подписан|подписана|購読中|已订阅`,
  pending: `unconfirmed|not confirmed|unactivated|unverified|unbestatigt|nicht bestatigt|non confirme/ee|non confirme e
    |sin confirmar|no confirmado/a|non confermato/a|onbevestigd|niet bevestigd|nao confirmado/a|niepotwierdzony/a|не подтвержден`,
  unsubscribed: `unsubscribed|unsubscribe|opted out|opt out|non subscribed|nonsubscribed|not subscribed|never subscribed
    |transactional|suppressed|user suppressed|blocklisted|blacklisted|abgemeldet|abbestellt|ausgetragen|nicht abonniert|desabonne/ee
    |desabonne e|desinscrit/te|desinscrit e|non abonne/ee|non inscrit/te|desuscrito/a|dado de baja|dada de baja|de baja|baja|no suscrito/a
    |disiscritto/a|non iscritto/a|uitgeschreven|afgemeld|niet ingeschreven|descadastrado/a|nao inscrito/a|avregistrerad|avmeldt|frameldt
    |afmeldt|wypisany/a|отписан|отписана|отписался|配信停止|已退订`,
  bounced: `bounced|cleaned|undeliverable|hard bounced|hard bounce|bounce|unzustellbar|zuruckgewiesen|rebondi|rebote|rebotado/a
    |non distribuable|rimbalzato/a|respinto/a|onbestelbaar|gebounced|devolvido/a|studsade|odbity`,
  complained: `complained|complaint|spam|abuse|marked as spam|spam complaint|junk|beschwerde|als spam markiert|plainte|queja|reclamo
    |marcado como spam|klacht|als spam gemarkeerd|reclamacao|denuncia|skarga`,
}

/** Words that can also be about a membership or an account. One that ended says nothing about email, so it counts as off. */
const vague: Partial<Record<ImportedMailStatus, string>> = {
  subscribed: `active|enabled|confirmed|member|regular|premium|paid|free|trialed|trialing|gifted|churning|churned|unpaid|past due|comped
    |aktiv|bestatigt|actif|confirme/ee|confirme e|activo/a|confirmado/a|attivo/a|confermato/a|actief|bevestigd|ativo/a|aktywny/a|активен|активный`,
  pending: `pending|validating|needs approval|needs attention|waiting|upcoming|ausstehend|wartend|en attente|pendiente|in attesa|in afwachting
    |pendente|oczekujacy/a|ожидает`,
  unsubscribed: `inactive|removed|blocked|disabled|deleted|archived|spammy|banned|canceled|cancelled|expired|suspended|stopped|lapsed|refunded
    |paused|incomplete|incomplete expired|former|ended|failed|declined|on hold|inaktiv|gesperrt|geloscht|gekundigt|deaktiviert|inactif/ve|bloque/ee
    |supprime/ee|resilie/ee|annule/ee|inactivo/a|bloqueado/a|cancelado/a|eliminado/a|inattivo/a|bloccato/a|cancellato/a|annullato/a|inactief|geblokkeerd
    |inativo/a|nieaktywny/a|неактивен|заблокирован`,
  bounced: 'invalid|invalide|invalido/a|ungultig|ongeldig',
}

const statusesOf = (lists: Partial<Record<ImportedMailStatus, string>>) =>
  new Map(
    Object.entries(lists).flatMap(([mail, list]) =>
      words(list).map((word) => [word, mail as ImportedMailStatus] as const),
    ),
  )
const clearStatuses = statusesOf(clear)
const vagueStatuses = statusesOf(vague)

/** What a word of a status column says, in the languages that services export. */
export const mailStatusOf = (text: string): ImportedMailStatus | undefined => {
  const word = foldWord(text)
  return clearStatuses.get(word) ?? vagueStatuses.get(word)
}

const yes = new Set(words('true|yes|y|1|on|t|x|ja|j|oui|o|si|s|sim|tak|wahr|vrai|verdadero|vero|waar|да|はい|是'))
const no = new Set(words('false|no|n|0|off|f|nein|non|nao|nee|nej|nei|nie|falsch|faux|falso|onwaar|нет|いいえ|否'))

/** null for another word. */
export const readYes = (text: string): boolean | null => {
  const word = foldWord(text)
  return yes.has(word) ? true : no.has(word) ? false : null
}

/** Meanings of columns that say who gets email. */
export type PermissionKind = 'status' | 'subscribed' | 'unsubscribed' | 'bounced'

const headers: Record<PermissionKind, RegExp> = {
  bounced:
    /bounced?\b|bounce date|clean(ed)? ?(time|at|date)?$|undeliver|unzustell|zuruckgewiesen|rebond|rebot|rimbalz|onbestelbaar/,
  unsubscribed:
    /unsub|opt(ed)? ?out|abgemeldet|abmeld|abbestell|ausgetragen|austrag|desabonn|desinscri|\bbaja\b|desuscri|disiscri|cancellazione|uitgeschreven|uitschrij|afgemeld|afmeld|avregistr|avprenum|avmeld|descadastr|wypis|отпис|(block|black) ?list|e ?mail blocked|bloqu|bloccat|geblokk|gesperrt|suppress|do not e ?mail|complain|\bspam\b|plainte|queja|beschwerde/,
  status: /status|statut|\bstato\b|\bestado\b|\betat\b|\bstate\b|zustand|статус|状态|ステータス/,
  subscribed:
    /subscri|abonn|angemeldet|newsletter|opt(ed)? ?in|consent|einwillig|toestemming|accept|marketing|suscri|iscri|inscri|ingeschreven|aangemeld|prenumer|zgoda|подпис/,
}
/** About another channel or money, or a detail of an event. */
const otherMatters =
  /active subscription|\b(sms|push|whatsapp|phone|tel|mobile?)\b|telefon|payment|zahlung|paiement|\bpagos?\b|charge|order|bestell|invoice|billing|reason|grund|motif|motivo|campaign|kampagne|campagne|campana|\b(url|link|count|rate|id|ip)\b|anzahl/

const dateLike = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|^\p{L}{3,9}\.? \d{1,2},? \d{4}|^\d{10}$|^\d{13}$/u

type PermissionColumn = {
  index: number
  kind: PermissionKind
  /** False if the column may say something else, so the publisher is asked. */
  isSure: boolean
  /** True if its words say nothing but who gets email. */
  isClear: boolean
}

/** Columns that say who gets email, by their name or because they are full of status words. `samples` are lines. */
export function findPermissionColumns(
  header: readonly string[],
  samples: readonly (readonly string[])[],
): PermissionColumn[] {
  return header.flatMap((column, index): PermissionColumn[] => {
    const name = foldWord(column)
    if (otherMatters.test(name)) return []
    const values = samples.flatMap((row) => row[index]?.trim() || [])
    const most = (test: (value: string) => boolean) =>
      values.filter(test).length * 2 >= values.length && values.some(test)
    const isStatus = most((value) => mailStatusOf(value) !== undefined)
    const isAnswer = most((value) => readYes(value) !== null || mailStatusOf(value) !== undefined)
    const isClear = values.some((value) => clearStatuses.has(foldWord(value)))
    const off = headers.bounced.test(name) ? 'bounced' : headers.unsubscribed.test(name) ? 'unsubscribed' : null
    if (off) {
      // A column “Unsubscribed” with words is a status; one without values fills once someone unsubscribes.
      const isKnown = values.length === 0 || isAnswer || most((value) => dateLike.test(value))
      return isKnown ? [{ index, kind: isStatus ? 'status' : off, isSure: true, isClear: true }] : []
    }
    if (isStatus) return [{ index, kind: 'status', isSure: isClear || headers.status.test(name), isClear }]
    return isAnswer && headers.subscribed.test(name) ? [{ index, kind: 'subscribed', isSure: true, isClear: true }] : []
  })
}
