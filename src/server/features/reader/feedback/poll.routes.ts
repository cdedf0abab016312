import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Deps } from '#server/feature.ts'
import { hasAccess, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { answerLinkPage, linkPagePolicy, withLinkPages } from '#server/pages/link-pages.ts'
import { type PageConfig, pageLayout } from '#server/pages/page-layout.ts'
import type { PollState } from '#shared/contracts/reader/feedback.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import { AppError } from '#shared/errors.ts'
import { findDrop, type PublishedDrop, readPollState, vote } from './polls.ts'

type Secrets = Pick<SecretBox, 'sign' | 'verify'>
const purpose = 'poll vote'
const signed = (issueId: string, userId: string) => `${userId} ${issueId}`

/**
 * Identifies the reader of an email in a link to its poll. Signed, not stored, and valid for one drop. It can be
 * forwarded, so all it can do is vote.
 */
export const writePollToken = (secrets: Secrets, issueId: string, userId: string): string =>
  `${userId}.${secrets.sign(purpose, signed(issueId, userId))}`

/** The reader's id, or null if the signature is invalid. */
function readPollToken(secrets: Secrets, issueId: string, token: string): string | null {
  const [userId = '', signature = '', ...more] = token.split('.')
  if (more.length > 0 || !/^[0-9a-f-]{36}$/.test(userId)) return null
  return secrets.verify(purpose, signed(issueId, userId), signature) ? userId : null
}

type PageContext = Context<AppEnv>

/**
 * The page behind an answer in an email. A GET changes nothing, because scanners follow links: the button on the page
 * votes. Works without a script and without signing in.
 */
export function pollRoutes(deps: Deps) {
  const { config } = deps
  const limits = createIpRateLimits(deps)
  const { db } = deps.database

  async function findVoter(c: PageContext) {
    const issueId = c.req.param('issueId') ?? ''
    const userId = readPollToken(deps.secrets, issueId, c.req.param('token') ?? '')
    if (!userId) throw new AppError('not_found')
    const drop = await findDrop(db, issueId)
    const now = deps.clock()
    if (!hasAccess(config, await readAccessFacts(db, userId), now)) return { userId, drop, state: null }
    return { userId, drop, state: await readPollState(db, drop, userId, now) }
  }

  return new Hono<AppEnv>()
    .get('/poll/:issueId/:token', (c) =>
      withLinkPages(c, config, async () => {
        await limits.consume('verify', c.var.clientAddress)
        const { drop, state } = await findVoter(c)
        if (!state) return answerLinkPage(c, noAccessPage(config), { config, status: 403 })
        return state.isClosed
          ? answerLinkPage(c, resultPage(config, drop, state, 'This poll is closed.'), { config })
          : answerForm(c, state, c.req.query('answer') ?? '', config)
      }),
    )
    .post('/poll/:issueId/:token', (c) =>
      withLinkPages(c, config, async () => {
        await limits.consume('verify', c.var.clientAddress)
        const { userId, drop, state } = await findVoter(c)
        if (!state) return answerLinkPage(c, noAccessPage(config), { config, status: 403 })
        const answer = new URLSearchParams(await c.req.text()).get('answer') ?? ''
        const voted = await vote(deps, userId, { issueId: drop.id, answer })
        return answerLinkPage(c, resultPage(config, drop, voted, `Your answer: ${answer}.`), { config })
      }),
    )
}

const noAccessPage = ({ settings }: PageConfig) => ({
  title: 'This poll is for members',
  lead: inOwnWords(
    settings.publication,
    'Your plan doesn’t include this drop at the moment, so your vote wasn’t counted.',
  ),
  actions: [{ label: 'See plans', href: '/#pricing' }],
})

function answerForm(c: PageContext, { question, answers }: PollState, chosen: string, config: PageConfig) {
  const texts = answers.map(({ text }) => text)
  const isKnown = texts.includes(chosen)
  const offered = isKnown ? [chosen, ...texts.filter((text) => text !== chosen)] : texts
  const lead = isKnown
    ? 'Tap your answer once more to vote. This keeps out programs that open links.'
    : 'Choose your answer.'
  c.header('Content-Security-Policy', linkPagePolicy("'self'"))
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Cache-Control', 'no-store')
  return c.html(
    pageLayout({
      title: question,
      shape: 'column',
      config,
      main: html`<h1>${question}</h1>
        <p class="lead">${lead}</p>
        <form class="actions" method="post">
          ${offered.map(
            (text, index) =>
              html`<button type="submit" name="answer" value="${text}"${index > 0 || !isKnown ? html` class="button secondary"` : ''}>${text}</button>`,
          )}
        </form>
        <p class="note">You can change your vote while the poll is open.</p>`,
    }),
  )
}

function resultPage(
  { settings }: PageConfig,
  { slug }: PublishedDrop,
  { question, answers }: PollState,
  first: string,
) {
  const total = answers.reduce((sum, { votes }) => sum + (votes ?? 0), 0)
  const shares = answers.map(
    ({ text, votes }) => `${text}: ${total > 0 ? Math.round(((votes ?? 0) / total) * 100) : 0}%`,
  )
  return {
    title: question,
    lead: `${first} So far, ${total === 1 ? '1 reader has' : `${total} readers have`} voted. ${shares.join(' · ')}`,
    actions: [{ label: inOwnWords(settings.publication, 'Open the drop'), href: `/portal/weekly-drops/${slug}` }],
  }
}
