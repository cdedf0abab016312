/**
 * `blocked` is a refusal of our server, IP address, sender, content or rate. It says nothing about the recipient's address,
 * so it never suppresses anyone.
 */
export type BounceType = 'hard_bounce' | 'soft_bounce' | 'blocked'

const anyOf = (...patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'), 'i')

/** A server that never answered said nothing about us, unlike an answer such as "554 Connection refused". */
const unreachable =
  /^(?!.*\b5\d\d[ -]).*\b(connection (refused|timed out|reset|closed|lost)|lost connection|unreachable|no route to host|expired)\b/i

/** An email that is too large for a mailbox, unlike a mailbox without room for it. */
const tooLarge =
  /^(?!.*(quota|full|storage|file too large)).*(\btoo (large|big)|\b(larger|bigger) than|\b(message|mail) (size|length)\b|\bsize of (the |this |your )?(message|e?-?mail)\b)/i

const mailboxFull = anyOf(
  /\bmailbox\b.{0,200}\bfile too large/,
  /over ?quota|quota (is )?(exceed|full)|exceed\w* .{0,40}(quota|storage)/,
  /(mailbox|inbox|account|user)\b.{0,40}\b(full|size limit|storage)/,
  /insufficient (system )?storage|disk (is )?full/,
  /bo[iî]te\b.{0,40}\bpleine|(postfach|speicher\w*)\b.{0,30}(\bvoll\b|berschritten|ersch[öo]pft)|(buz[oó]n|casella|caixa)\b.{0,40}\b(llen[oa]|pien[oa]|chei[oa])/,
)

const refusesUs = anyOf(
  /(black|block|deny|drop|ban)[- ]?list|\b(dns|r)bl\b|\b(spam(haus|cop)|barracuda|sorbs|abuseat|surbl|uribl)\b|reputation/,
  /spam|unsolicited|\bbulk\b|phishing|virus|malware/,
  /\bcontent|polic(y|ies)|prohibit|\bAUP\b|size (limit|exceed)/,
  /\b(rate|limit)[- ]?(limit|exceed|control)|throttl|too (many|much|fast)|exceed\w* .{0,60}\b(limit|rate|number|maximum)/,
  /\b(limit|rate|maximum|number)\b.{0,40} exceeded|connection (rate|limit)|unusual (rate|volume)/,
  /\b(spf|dkim|dmarc|ptr|rdns|helo|ehlo|batv|starttls|tls)\b|reverse (dns|lookup)|authenticat|not (been )?authori[sz]ed|unauthori[sz]ed/,
  /\b(sender|from address|mail from|return[- ]path|envelope from)\b[^.;]{0,60}\b(reject|den(y|ied)|block|bann?ed|refus|invalid|not (allowed|permitted|accepted|valid|exist|found)|unknown|does ?n[o'’]t|verif|fail|disallow)/,
  /\b(reject\w*|invalid|bad|block\w*|bann?ed|den(y|ied)|unroutable|unverified|disallowed|unknown)( \w+)? sender/,
  /\b(client|sending|connecting|remote|source|originating) (host|server|mta|ip|system|address)\b.{0,80}\b(reject|block|den(y|ied)|refus|bann?ed|listed|not (allowed|permitted|accepted))/,
  /\b(mail|message|e-?mail)s? from\b.{0,60}\b(reject|refus|den(y|ied)|block|not (wanted|allowed|accepted|permitted))/,
  /\b(invalid|bad) mail from|sender.{0,3} domain|domain of (the )?sender|receiving (e-?mail|mail|messages) (at a rate|too)/,
  /(?<!\bnot |\bno longer |n['’]t )\blisted\b|\bon (a|our|the|your) ([\w-]+ )?list\b|(white|allow|safe)[- ]?list|\bjunk\b|attachment|connection refused|\bcountr(y|ies)\b|\bregion\b|\bgeo(ip|[- ]?location|graphic\w*)?\b/,
  /\byour (ip|host|(mail |email )?server|mta|network|domain|isp)\b/,
  /\bips?\b( addresse?s?)?.{0,60}\b(reject|block|den(y|ied)|refus|bann?ed|listed|not (allowed|permitted|accepted))/,
  /\b(reject\w*|block\w*|den(y|ied)|refus\w*|bann?ed|access) .{0,40}\bips?\b/,
  /\b(message|e?-?mail|connection|access)s?\b (\w+ ){0,3}(blocked|filtered|banned)|\bblocked (by|using|for|due|because|-|see)\b/,
)

const temporary = anyOf(
  /temporar|try (again )?later|deferred|gr[ae]ylist|relay(ing)?\b|timed? ?out|unverified address|not accepting network messages/,
)

const mailbox = String.raw`\b(user|recipient|mail ?box|(e-?mail )?account|(e-?mail )?address|alias|local[- ]?part|person|customer|addressee|adresse|destinataire)(es|s)?\b`
const noLonger =
  'no longer (exists?|active|valid|available|accepts?|in use|on|with|works)|has (moved|left|been (replaced|deleted|removed|closed|disabled|suspended|deactivated|discontinued|terminated))'
const unknownAddress = anyOf(
  new RegExp(
    String.raw`${mailbox}[^.;]{0,80}?\b(unknown|not known|not (be |been )?(found|located)|(does|do|did) ?n[o'’]t exist|not exist|invalid|inactive|(not|n['’]t) (a |an )?(valid|known|active|local|present|listed|recogni[sz]ed|registered)|unavail\w*|disabled|closed|suspended|terminated|deactivated|deleted|discontinued|undeliverable|${noLonger}|inconnue?|invalide)`,
  ),
  new RegExp(
    String.raw`\b(unknown|invalid|no such|non-?existent|bad|inactive|disabled|undeliverable)( \w+)? ?${mailbox}`,
  ),
  /\bno (valid |local |mail )?(user|recipient|mail ?box|account|address|person|one)s?\b/,
  /does ?n[o'’]t (exist|have an? .{1,40} account)|recipients? address(es)? rejected ?: (access denied|no |undeliverable|user|unknown|invalid)/,
  /unroute?able address|recipient ?not ?found|bad ?rcpt ?to|valid ?rcpt ?to|not our customer|couldn[’']t be found|wasn[’']t found at/,
  /(utilisateur|usuario|benutzer|empf[äa]nger|destinat[aá]rio|utente)\b.{0,40}(inconnu|desconocid|no existe|unbekannt|n[aã]o existe|inesistente|sconosciut)/,
)

/** Enhanced status codes (RFC 3463) of an address that is unknown, moved or disabled; 5.1.35x are Office 365's. */
const badAddressCode = /^5\.(1\.(1|2|3|6|10|35\d)|2\.1)$/
const enhancedCode = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/g

/** Null if the code is vague. */
function classifyCode(code: string): BounceType | null {
  if (badAddressCode.test(code)) return 'hard_bounce'
  if (/^[45]\.7\.|^5\.(1\.[78]|2\.3|3\.4)$/.test(code)) return 'blocked'
  return code === '' || /^5\.(0\.\d+|1\.0|5\.\d+|2\.0)$/.test(code) ? null : 'soft_bounce'
}

function classifyText(text: string): BounceType | null {
  if (unreachable.test(text)) return 'soft_bounce'
  if (tooLarge.test(text)) return 'blocked'
  if (mailboxFull.test(text)) return 'soft_bounce'
  if (refusesUs.test(text)) return 'blocked'
  if (temporary.test(text) || /^\W*4\d\d\b/.test(text)) return 'soft_bounce'
  if (unknownAddress.test(text)) return 'hard_bounce'
  const codes = [...text.matchAll(enhancedCode)].map(([code]) => classifyCode(code))
  return codes.find((type) => type === 'blocked') ?? codes.find((type) => type !== null) ?? null
}

/** Addresses and URLs contain words such as "spam" that don't say why an email was refused. */
const withoutAddresses = (text: string) =>
  text
    .replace(/https?:\/\/\S+/gi, ' ')
    .replace(/<?[^\s<>@]{1,100}@[^\s<>@]{1,255}>?/g, ' ')
    .replace(/\s+/g, ' ')

/**
 * The words of the refusing server count before its code, because many servers answer any refusal with the code of an
 * unknown address. After an arrow, Office 365 quotes the server that refused.
 */
export function classifyBounce(code: string, diagnosis: string): BounceType {
  const quoted = withoutAddresses(diagnosis.slice(0, maxDiagnosisLength)).split('->').toReversed()
  for (const text of quoted) {
    const type = classifyText(text)
    if (type) return type
  }
  return classifyCode(code) ?? 'soft_bounce'
}

/** Keeps matching fast; servers answer with a few hundred characters. */
const maxDiagnosisLength = 2_000
