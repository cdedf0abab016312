import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { FeatureDeps } from '#server/feature.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { linkPagePolicy, withLinkPages } from '#server/pages/link-pages.ts'
import { type Markup, pageLayout } from '#server/pages/page-layout.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { withdrawalDays } from '#shared/domain/legal.ts'
import { AppError } from '#shared/errors.ts'
import type { Purchase } from './find-purchases.ts'
import { confirmWithdrawal, declareWithdrawal, readWithdrawal } from './withdraw.ts'

/** The wording of Article 11a. */
const formTitle = 'Withdraw from contract here'

/** Pages to declare and confirm a withdrawal. They work signed out and without a script. */
export function withdrawalRoutes(deps: FeatureDeps) {
  const { config } = deps
  const limits = createIpRateLimits(deps)
  const answer = (c: Context<AppEnv>, title: string, main: Markup, status: 200 | 404 | 422 = 200) => {
    c.header('Content-Security-Policy', linkPagePolicy("'self'"))
    c.header('Referrer-Policy', 'no-referrer')
    c.header('Cache-Control', 'no-store')
    const page = { title, config, shape: 'column' as const, stylesheet: '/free/styles.css' }
    return c.html(pageLayout({ ...page, main: html`<h1>${title}</h1>${main}` }), status)
  }
  const field = async (c: Context<AppEnv>, name: string) => String((await c.req.parseBody())[name] ?? '').slice(0, 300)
  const show = async (c: Context<AppEnv>, token: string) => {
    const found = await readWithdrawal(deps, token)
    if (!found) return answer(c, 'Link not valid', brokenLink, 404)
    const { row, purchases } = found
    if (row.confirmedAt) return answer(c, 'Withdrawal confirmed', confirmed(row))
    return answer(c, 'Confirm your withdrawal', choose(row, purchases, token))
  }
  return new Hono<AppEnv>()
    .use('/withdraw/*', async (c, next) =>
      config.settings.publication.legal.withdrawal === 'off' ? c.notFound() : next(),
    )
    .get('/withdraw', (c) => answer(c, formTitle, form()))
    .post('/withdraw', (c) =>
      withLinkPages(c, config, async () => {
        await limits.consume('mail', c.var.clientAddress)
        const [name, email] = [(await field(c, 'name')).trim(), await field(c, 'email')]
        try {
          if (!name) throw new AppError('validation_failed')
          await declareWithdrawal(deps, name, email)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          return answer(
            c,
            formTitle,
            form({ name, email, problem: 'Enter your name and an email address such as ana@example.com.' }),
            422,
          )
        }
        return answer(c, 'Check your inbox', checkInbox)
      }),
    )
    .get('/withdraw/confirm', (c) => withLinkPages(c, config, () => show(c, c.req.query('token') ?? '')))
    .post('/withdraw/confirm', (c) =>
      withLinkPages(c, config, async () => {
        await limits.consume('verify', c.var.clientAddress)
        const token = await field(c, 'token')
        await confirmWithdrawal(deps, token, await field(c, 'contract'))
        return show(c, token)
      }),
    )
}

const form = ({ name = '', email = '', problem = '' } = {}): Markup => html`
  <p class="lead">You can withdraw from a purchase within ${withdrawalDays} days without giving a reason. Enter your name and email, and we’ll send you a link to review your purchase and confirm. Your withdrawal counts from when you submit this form.</p>
  <form class="free-form" method="post" action="/withdraw">
    ${problem ? html`<p id="problem" class="problem" role="alert">${problem}</p>` : ''}
    <label for="name">Your name</label>
    <input id="name" name="name" autocomplete="name" required maxlength="120" value="${name}">
    <label for="email">The email you bought with</label>
    <input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${email}">
    <button type="submit">Continue</button>
  </form>`

const checkInbox = html`<p class="lead" role="status">We’ve received your declaration. We’ve sent you an email with a link to confirm it. If it isn’t in your inbox, check your spam folder.</p>`

const brokenLink = html`<p class="lead"><a href="/withdraw">Start again</a> to get a new link.</p>`

type Done = { contractName: string | null; email: string; refundCents: number | null; currency: string | null }

const confirmed = ({ contractName, email, refundCents, currency }: Done): Markup => html`
  <p class="lead" role="status">You withdrew from ${contractName}. We’ve emailed the receipt to ${email}.</p>
  <p>Refund: ${formatMoney(refundCents ?? 0, currency ?? 'usd')}</p>`

const choose = ({ name, email }: { name: string; email: string }, purchases: Purchase[], token: string): Markup => html`
  <p class="lead">${name}, ${email}</p>
  ${purchases.length === 0 ? html`<p>We found no purchase with this address. Did you buy with another one? <a href="/withdraw">Start again</a>.</p>` : ''}
  ${purchases.map(
    (purchase) => html`<h2>${purchase.name}</h2>
      <p>${describe(purchase)}</p>
      ${
        purchase.state === 'open'
          ? html`<form class="free-form" method="post" action="/withdraw/confirm">
              <input type="hidden" name="token" value="${token}">
              <input type="hidden" name="contract" value="${purchase.contract}">
              <button type="submit">Confirm withdrawal</button>
            </form>`
          : ''
      }`,
  )}`

function describe({ state, boughtAt, until, refundCents, currency, isProrated, isDisputed }: Purchase): string {
  const bought = `Bought on ${formatDay(boughtAt)}.`
  const ends = 'If you withdraw, it ends immediately, and so does access.'
  const share = isProrated ? ' for the rest of the period, as agreed at checkout' : ''
  const open = isDisputed
    ? 'Your bank is reviewing the payment. We refund what it returns to us.'
    : `We refund ${formatMoney(refundCents, currency)}${share}.`
  return {
    open: `${bought} ${ends} ${open}`,
    over: `${bought} The withdrawal period ended on ${formatDay(until)}. You can still cancel a plan under Account > Billing.`,
    refunded: `${bought} It has already been refunded.`,
    withdrawn: 'You’ve already withdrawn from it.',
    by_email: `${bought} It’s billed together with another product. Reply to any of our emails to withdraw.`,
  }[state]
}
