/**
 * `npm run bench -- compose`: CPU time per reader for ordering a drop and assembling its email, compared with the SMTP
 * library's composer in alternating rounds. The library gets finished HTML and text, so only our time includes ranking,
 * joining, links and headers. Neither includes network or DKIM. Then the same emails with the notices of changed items.
 */
import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime from 'postal-mime'
import { createSecretBox } from '#server/config/secret-box.ts'
import { createEmailLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import { createComposer, type Recipient } from '#server/features/publishing/mailings/compose/composer.ts'
import { writeMessage } from '#server/mail/dkim.ts'
import { aiLevels, focusAreas, franchiseTypes, goals } from '#shared/domain/preferences.ts'
import { emailConfig, listSender, publicUrl, sampleDrop } from '../tests/support/newsletter-email.ts'
import { median, round } from './support/statistics.ts'

const readers = Number(process.env.BENCH_READERS ?? 2000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const budgetMicroseconds = 150

const pick = <T>(all: readonly T[], seed: number): T | undefined => all[seed % all.length]

/** The same readers in every run, nearly all with different preferences. */
const recipients = Array.from({ length: readers }, (_, index): Recipient => {
  const seed = (index * 2_654_435_761) >>> 0
  return {
    deliveryId: String(1000 + index),
    userId: `018f3a52-0000-7000-8000-${String(index).padStart(12, '0')}`,
    email: `reader-${index}@bench.test`,
    name: `Reader Number-${index}`,
    reader: {
      focusAreas: focusAreas.filter((_, bit) => (seed >>> bit) & 1),
      aiLevel: pick(aiLevels, seed >>> 7) ?? null,
      goals: goals.filter((_, bit) => (seed >>> (10 + bit)) & 1),
      franchiseType: pick(franchiseTypes, seed >>> 16) ?? null,
    },
  }
})

const content = sampleDrop()
const secrets = createSecretBox('a secret for measuring, thirty-two characters or more')
const links = createEmailLinks({ secrets, config: { publicUrl } }, { kind: 'issue' })
const newCompose = () => createComposer({ content, from: listSender, config: emailConfig, links })

/** A busy week: twelve items changed, and each reader kept some of them. */
const changes = Array.from({ length: 12 }, (_, index) => ({
  key: `prompt:changed-${index}`,
  title: `Changed prompt ${index} for the end of the shift`,
  path: `/portal/prompt-packs#changed-${index}`,
  note: 'It asks for the shift before anything else, and no longer for names.',
}))
const keepers = recipients.map((to, index) => ({
  ...to,
  changes: changes.filter((_, place) => (index + place) % 4 === 0).map(({ key }) => key),
}))
const newComposeWithNotices = () =>
  createComposer({ content: { ...content, changes }, from: listSender, config: emailConfig, links })

/** The same emails as input for the library. */
async function libraryInput() {
  const compose = newCompose()
  return Promise.all(
    recipients.map(async (to) => {
      const { headers, body, messageId } = compose(to)
      const { html, text } = await PostalMime.parse(await writeMessage(headers, body, null))
      const own = Object.fromEntries(headers.filter(([name]) => /^(List-|Feedback-)/.test(name)))
      const { name, email: address } = to
      return {
        from: listSender,
        to: { name: name ?? '', address },
        subject: content.subject,
        messageId,
        headers: own,
        html,
        text,
      }
    }),
  )
}

/** CPU time per reader in microseconds. */
async function cost(work: () => Promise<number>) {
  globalThis.gc?.()
  const before = process.cpuUsage()
  const bytes = await work()
  const { user, system } = process.cpuUsage(before)
  return { each: (user + system) / readers, bytes: bytes / readers }
}

async function ours(compose: ReturnType<typeof createComposer>, all: readonly Recipient[] = recipients) {
  let bytes = 0
  for (const to of all) {
    const { headers, body } = compose(to)
    bytes += (await writeMessage(headers, body, null)).length
  }
  return bytes
}

const ready = await libraryInput()
async function library() {
  let bytes = 0
  for (const email of ready)
    bytes += (await new MailComposer({ ...email, newline: 'windows' }).compile().build()).length
  return bytes
}

const compose = newCompose()
await ours(compose)
await library()
type Kind = 'warm' | 'cold' | 'peer' | 'notices'
const results: Record<Kind, Awaited<ReturnType<typeof cost>>>[] = []
for (let turn = 0; turn < rounds; turn += 1) {
  const warm = await cost(() => ours(compose))
  const cold = await cost(() => ours(newCompose()))
  const notices = await cost(() => ours(newComposeWithNotices(), keepers))
  const peer = await cost(library)
  results.push({ warm, cold, peer, notices })
  console.log(
    `round ${turn + 1}: ${round(warm.each)} µs, with a new composer ${round(cold.each)} µs, with notices ${round(notices.each)} µs, library ${round(peer.each)} µs`,
  )
}
const distinct = new Set(recipients.map(({ reader }) => JSON.stringify(reader))).size
const each = (kind: Kind) => median(results.map((result) => result[kind].each))
const ratio = each('peer') / each('cold')
console.log(
  `${readers} readers with ${distinct} different preferences, ${round((results[0]?.warm.bytes ?? 0) / 1000, 1)} kB per email`,
)
console.log(
  `ordering and assembling, median: ${round(each('cold'))} µs with a new composer, ${round(each('warm'))} µs afterwards`,
)
console.log(
  `with notices of ${changes.length} changed items, ${keepers[0]?.changes.length} per reader, and a new composer: ` +
    `${round(each('notices'))} µs; ${round(each('notices') / each('cold'), 2)} times as long as without`,
)
console.log(`the library's composer: ${round(each('peer'))} µs; ${round(ratio, 1)} times as long`)
console.log(
  `budget of ${budgetMicroseconds} µs ${each('cold') <= budgetMicroseconds ? 'met' : 'NOT MET'}, faster than the library: ${ratio > 1}`,
)
