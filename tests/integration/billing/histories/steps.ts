import { randomUUID } from 'node:crypto'
import { card, press, visit } from '@front-counter/stripe-sandbox/testing'
import fc from 'fast-check'
import Stripe from 'stripe'
import { findPlan } from '#shared/domain/plans.ts'
import { type PlanKey, planKeys } from '#tests/support/default-plans.ts'
import { attachCard } from '../support.ts'
import { companySteps } from './company-seats.ts'
import { type Decision, decideDispute, openDispute } from './disputes.ts'
import { claimGiftLink, expectFairAccess } from './gifted-access.ts'
import { buyGift, claimGift, giftCharges } from './gifts.ts'
import { oneTimeSteps } from './one-time.ts'
import { acceptInvitation } from './referrals.ts'
import type { StepKind, StepsOf } from './step-kinds.ts'
import { withdraw, withdrawFromGift } from './withdrawals.ts'
import type { Person, World } from './world.ts'

/** Of the person, if it pays. */
const cards = {
  'is declined': '4000 0000 0000 0002',
  'fails later': '4000 0027 6000 3184',
} as const
type Card = keyof typeof cards | 'pays'
type Channel = 'the API' | 'the portal' | 'the app'

/** Steps in files of their own. A kind of step that is added here is drawn and run like the ones below. */
const kinds = { ...companySteps, ...oneTimeSteps }

/** One step of a history, as plain data, so that a failing history is readable. */
export type Step = StepsOf<typeof kinds> | OwnStep
type OwnStep =
  | { what: 'asks for a checkout'; who: number; plan: PlanKey }
  | { what: 'buys'; who: number; plan: PlanKey; card: Card; comesBack: boolean; more: number }
  | { what: 'buys in two tabs'; who: number; plan: PlanKey; other: PlanKey; card: Card }
  | { what: 'pays on a page seen before'; who: number; page: number; card: Card }
  | { what: 'buys past the app'; who: number; plan: PlanKey }
  | { what: 'buys another product'; who: number; trial: boolean; along: PlanKey | null }
  | { what: 'changes the card'; who: number; pays: boolean; through: Exclude<Channel, 'the app'> }
  | { what: 'pays what is open'; who: number; through: Exclude<Channel, 'the portal'>; clicks: number }
  | { what: 'waits'; who: number; hours: number }
  | { what: 'cancels'; who: number; when: 'now' | 'at the end'; through: Channel; clicks: number }
  | { what: 'resumes'; who: number; through: Channel; clicks: number }
  | { what: 'pauses'; who: number; months: number; through: 'the API' | 'the app' | 'the button'; clicks: number }
  | { what: 'goes on after a pause'; who: number; through: Exclude<Channel, 'the portal'>; clicks: number }
  | { what: 'stays for a discount'; who: number; clicks: number }
  | { what: 'switches'; who: number; plan: PlanKey; through: Channel; bills: 'now' | 'later'; clicks: number }
  | { what: 'is moved to another price'; who: number; cents: number }
  | { what: 'changes the seats'; who: number; quantity: number; bills: 'now' | 'later' | 'at the renewal' }
  | { what: 'changes the seats in the app'; who: number; seats: number; clicks: number }
  | { what: 'keeps the seats that were to end'; who: number; clicks: number }
  | { what: 'the pause job runs' }
  | { what: 'withdraws'; who: number; pick: number; clicks: number }
  | { what: 'a giver withdraws'; pick: number; clicks: number }
  | { what: 'the withdrawal job runs' }
  | { what: 'the seat job runs' }
  | { what: 'accepts an invitation'; who: number }
  | { what: 'the referral job runs' }
  | { what: 'claims the gift link'; who: number }
  | { what: 'disputes a payment'; who: number }
  | { what: 'a dispute is decided'; pick: number; decision: Decision }
  | { what: 'is taxed'; who: number; taxed: boolean }
  | { what: 'gets a refund'; who: number; part: number }
  | { what: 'gets a credit'; who: number; cents: number }
  | { what: 'buys a gift'; who: number; isQuestioned: boolean }
  | { what: 'claims a gift'; who: number }
  | { what: 'a gift is refunded'; part: number }
  | { what: 'the gift job runs' }
  | { what: 'is deleted at Stripe'; who: number }
  | { what: 'looks'; who: number; refresh: boolean }
  | { what: 'webhooks arrive'; picks: number[]; twice: boolean }
  | { what: 'webhooks arrive in order' }
  | { what: 'an old webhook comes again'; pick: number }
  | { what: 'is looked at by a slow server'; who: number }
  | { what: 'slow servers go on' }
  | { what: 'webhooks are lost' }
  | { what: 'the network'; is: 'up' | 'down' | 'deaf' }
  | { what: 'the server dies'; after: number; when: 'before' | 'after' }
  | { what: 'minutes pass'; minutes: number }
  | { what: 'reconciliation' }

type StepOf<W extends OwnStep['what']> = Extract<OwnStep, { what: W }>

const who = fc.nat(3)
const plan = fc.constantFrom(...planKeys)
const through = fc.constantFrom<Channel[]>('the API', 'the portal', 'the app')
/** How often a user repeats a request, after an error or by a double click. */
const clicks = fc.integer({ min: 1, max: 2 })
const anyCard = fc.constantFrom<Card[]>('pays', 'pays', 'fails later', 'is declined')
const step = <S extends Step['what']>(what: S, fields: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ what: fc.constant(what), ...fields }) as unknown as fc.Arbitrary<Step>

/** Hours up to a renewal and past a failed one: retries on days 3, 8 and 15, grace period until day 7. */
const waitHours = [1, 20, 3 * 24, 7 * 24 + 2, 8 * 24, 16 * 24, 28 * 24, 31 * 24 + 2, 45 * 24, 93 * 24]

const weighted: [number, fc.Arbitrary<Step>][] = [
  ...Object.entries(kinds).map(([what, { weight, fields }]): [number, fc.Arbitrary<Step>] => [
    weight,
    step(what as Step['what'], { who, ...fields }),
  ]),
  [8, step('buys', { who, plan, card: anyCard, comesBack: fc.boolean(), more: fc.constantFrom(0, 0, 1, 250) })],
  [3, step('asks for a checkout', { who, plan })],
  [4, step('buys in two tabs', { who, plan, other: plan, card: anyCard })],
  [3, step('pays on a page seen before', { who, page: fc.nat(9), card: anyCard })],
  [2, step('buys past the app', { who, plan })],
  [4, step('buys another product', { who, trial: fc.boolean(), along: fc.constantFrom(null, null, ...planKeys) })],
  [3, step('changes the card', { who, pays: fc.boolean(), through: fc.constantFrom('the API', 'the portal') })],
  [2, step('pays what is open', { who, through: fc.constantFrom('the API', 'the app'), clicks })],
  [8, step('waits', { who, hours: fc.constantFrom(...waitHours) })],
  [4, step('cancels', { who, when: fc.constantFrom('now', 'at the end'), through, clicks })],
  [2, step('resumes', { who, through, clicks })],
  [
    4,
    step('pauses', {
      who,
      months: fc.integer({ min: 1, max: 3 }),
      through: fc.constantFrom('the API', 'the app', 'the button'),
      clicks,
    }),
  ],
  [2, step('the pause job runs')],
  [3, step('withdraws', { who, pick: fc.nat(3), clicks })],
  [2, step('a giver withdraws', { pick: fc.nat(3), clicks })],
  [1, step('the withdrawal job runs')],
  [3, step('goes on after a pause', { who, through: fc.constantFrom('the API', 'the app'), clicks })],
  [2, step('stays for a discount', { who, clicks })],
  [4, step('switches', { who, plan, through, bills: fc.constantFrom('now', 'later'), clicks })],
  [3, step('is moved to another price', { who, cents: fc.constantFrom(700, 1250, 1999, 12_345) })],
  [
    3,
    step('changes the seats', {
      who,
      quantity: fc.integer({ min: 1, max: 4 }),
      bills: fc.constantFrom('now', 'later', 'at the renewal'),
    }),
  ],
  [4, step('is taxed', { who, taxed: fc.constantFrom(true, true, false) })],
  [2, step('gets a refund', { who, part: fc.constantFrom(0.25, 0.5, 1) })],
  [2, step('gets a credit', { who, cents: fc.constantFrom(150, 700, 5000) })],
  [3, step('changes the seats in the app', { who, seats: fc.integer({ min: 2, max: 5 }), clicks })],
  [1, step('keeps the seats that were to end', { who, clicks })],
  [1, step('the seat job runs')],
  [4, step('accepts an invitation', { who })],
  [3, step('the referral job runs')],
  [2, step('claims the gift link', { who })],
  [2, step('disputes a payment', { who })],
  [3, step('a dispute is decided', { pick: fc.nat(9), decision: fc.constantFrom('won', 'lost', 'escalated') })],
  [3, step('buys a gift', { who, isQuestioned: fc.boolean() })],
  [2, step('claims a gift', { who })],
  [2, step('a gift is refunded', { part: fc.constantFrom(0.3, 1) })],
  [2, step('the gift job runs')],
  [1, step('is deleted at Stripe', { who })],
  [3, step('looks', { who, refresh: fc.boolean() })],
  [5, step('webhooks arrive', { picks: fc.array(fc.nat(99), { maxLength: 6 }), twice: fc.boolean() })],
  [2, step('webhooks arrive in order')],
  [1, step('an old webhook comes again', { pick: fc.nat(99) })],
  [5, step('is looked at by a slow server', { who })],
  [1, step('slow servers go on')],
  [4, step('webhooks are lost')],
  [3, step('the network', { is: fc.constantFrom('up', 'up', 'down', 'deaf') })],
  [6, step('the server dies', { after: fc.nat(40), when: fc.constantFrom('before', 'after') })],
  [2, step('minutes pass', { minutes: fc.integer({ min: 1, max: 40 }) })],
  [2, step('reconciliation')],
]

export const anyStep: fc.Arbitrary<Step> = fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })))

const arrive: Step = { what: 'webhooks arrive in order' }
const gift: Step[] = [{ what: 'buys a gift', who: 0, isQuestioned: true }, arrive, { what: 'the gift job runs' }]
const buys = (who: number, plan: PlanKey): Step => ({
  ...{ what: 'buys', who, plan, card: 'pays', comesBack: true, more: 250 },
})

const buysOnce = (who: number, item: number) =>
  ({ what: 'buys access once', who, item, more: 1, card: 'pays', clicks: 2, comesBack: true }) as const

/** How a history begins, since what matters takes several steps in a row. */
export const beginnings: readonly Step[][] = [
  [],
  // A time, then access for good, then a bank that decides, and a withdrawal.
  [
    buysOnce(0, 0),
    arrive,
    { ...buysOnce(0, 2), card: 'is disputed' },
    arrive,
    buysOnce(0, 2),
    { what: 'a dispute is decided', pick: 0, decision: 'won' },
    arrive,
    { what: 'the purchases job runs', who: 0 },
    { what: 'withdraws', who: 0, pick: 1, clicks: 2 },
  ],
  // A time after a canceled plan, one that the publisher refunds while the server dies.
  [
    buys(0, 'pro_monthly'),
    arrive,
    { what: 'cancels', who: 0, when: 'at the end', through: 'the app', clicks: 1 },
    arrive,
    buysOnce(0, 1),
    { what: 'the server dies', after: 20, when: 'after' },
    { what: 'is refunded in the admin', who: 0, pick: 0, clicks: 2 },
  ],
  // Both are open at once, and both are paid.
  [
    { what: 'asks for a checkout', who: 0, plan: 'pro_monthly' },
    { ...buysOnce(0, 0), card: 'is declined' },
    { what: 'pays on a page seen before', who: 0, page: 0, card: 'pays' },
    { what: 'pays on a page seen before', who: 0, page: 1, card: 'pays' },
  ],
  // A company whose people sign in.
  [
    buys(0, 'team_monthly'),
    arrive,
    { what: 'proves the domain of a company', who: 0 },
    ...[0, 1, 2].map((worker): Step => ({ what: 'sees someone of the company sign in', who: 0, worker })),
    { what: 'changes the seats in the app', who: 0, seats: 4, clicks: 1 },
    { what: 'answers a request for a seat', who: 0, worker: 1, accept: true, clicks: 2 },
  ],
  // One member brings another, whose payment is disputed.
  [
    buys(0, 'pro_monthly'),
    arrive,
    { what: 'accepts an invitation', who: 1 },
    buys(1, 'pro_monthly'),
    arrive,
    { what: 'the referral job runs' },
    { what: 'disputes a payment', who: 1 },
  ],
  [buys(0, 'pro_yearly'), arrive, { what: 'accepts an invitation', who: 1 }, buys(1, 'team_monthly')],
  // A gift on top of another and of the link, and a bank that asks about its payment.
  [
    ...gift,
    { what: 'claims a gift', who: 0 },
    ...gift,
    { what: 'claims a gift', who: 0 },
    { what: 'claims the gift link', who: 0 },
    { what: 'claims the gift link', who: 1 },
    { what: 'a dispute is decided', pick: 0, decision: 'escalated' },
  ],
  [buys(0, 'pro_monthly'), arrive, ...gift, { what: 'claims a gift', who: 0 }, { what: 'the gift job runs' }],
  // A giver who withdraws from a gift that was claimed.
  [...gift, { what: 'claims a gift', who: 0 }, { what: 'a giver withdraws', pick: 0, clicks: 2 }],
  // A year that is paused, and its end.
  [
    buys(0, 'pro_yearly'),
    arrive,
    { what: 'pauses', who: 0, months: 1, through: 'the button', clicks: 2 },
    { what: 'waits', who: 0, hours: 366 * 24 },
    arrive,
    { what: 'the pause job runs' },
    { what: 'waits', who: 0, hours: 31 * 24 },
    { what: 'looks', who: 0, refresh: true },
    { what: 'the server dies', after: 20, when: 'after' },
    { what: 'the pause job runs' },
    { what: 'the pause job runs' },
  ],
  // Two who withdraw, one of them after a refund and with more seats.
  [
    buys(0, 'team_monthly'),
    arrive,
    { what: 'changes the seats in the app', who: 0, seats: 4, clicks: 1 },
    { what: 'gets a refund', who: 0, part: 0.5 },
    { what: 'the server dies', after: 20, when: 'after' },
    { what: 'withdraws', who: 0, pick: 0, clicks: 2 },
    buys(1, 'pro_yearly'),
    { what: 'disputes a payment', who: 1 },
    { what: 'withdraws', who: 1, pick: 0, clicks: 2 },
  ],
  // Seats with half off the next month.
  [
    buys(0, 'team_monthly'),
    arrive,
    { what: 'stays for a discount', who: 0, clicks: 1 },
    { what: 'the server dies', after: 20, when: 'after' },
    { what: 'changes the seats in the app', who: 0, seats: 5, clicks: 2 },
  ],
  // Seats in the app.
  [
    buys(0, 'team_monthly'),
    arrive,
    { what: 'changes the seats in the app', who: 0, seats: 5, clicks: 2 },
    { what: 'changes the seats in the app', who: 0, seats: 3, clicks: 1 },
    { what: 'waits', who: 0, hours: 29 * 24 },
    { what: 'looks', who: 0, refresh: true },
    { what: 'the seat job runs' },
  ],
]

/** Ignores declined cards and requests that Stripe refuses. Rethrows everything else as a bug in the test. */
async function ignoringStripeErrors<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    const { StripeInvalidRequestError, StripeCardError } = Stripe.errors
    if (error instanceof StripeInvalidRequestError || error instanceof StripeCardError) return null
    throw error
  }
}

const tokenOf = (person: Person) => (person.card.startsWith('4') ? 'pm_card_visa' : 'pm_card_mastercard')

const customerOf = (person: Person) => person.customers.at(-1)

async function running(world: World, person: Person): Promise<Stripe.Subscription | undefined> {
  const customer = customerOf(person)
  if (!customer) return undefined
  const all = (await ignoringStripeErrors(world.api.subscriptions.list({ customer, limit: 100 })))?.data
  return all?.filter(({ items }) => items.data.some(world.isPlan)).at(-1)
}

/** The portal's overview page, or null for a person without a customer. */
async function portal(world: World, person: Person) {
  const customer = customerOf(person)
  if (!customer) return null
  const session = await ignoringStripeErrors(world.api.billingPortal.sessions.create({ customer }))
  return session && visit(session.url)
}

type Page = Awaited<ReturnType<typeof visit>>
/** Clicks a button if the page has it. */
const pressIfPresent = async (
  page: Page | null,
  button: string,
  values: Record<string, string> = {},
): Promise<Page | null> => (page?.text.includes(`>${button}<`) ? press(page, button, values) : null)

async function submitPayment(person: Person, url: string, kind: Card): Promise<Page> {
  const page = await visit(url)
  if (!page.text.includes('name="number"')) return page
  const next = await press(page, 'Pay', card(kind === 'pays' ? person.card : cards[kind]))
  return next.text.includes('>Complete') ? press(next, 'Complete') : next
}

/** `more`: what someone who can choose the amount pays above the suggested one. */
async function askForCheckout(world: World, person: Person, wanted: PlanKey, more = 0): Promise<string | null> {
  const { priceCents = 0, floorCents } = findPlan(world.config.settings.publication, wanted) ?? {}
  const given = { priceId: world.priceOf(wanted), ...(floorCents && { amountCents: priceCents + more }) }
  const answer = await world.call('create-checkout', given, person)
  await world.collectEvents()
  const url = typeof answer?.body.url === 'string' ? answer.body.url : null
  if (url?.includes('/c/pay/') && !person.pages.includes(url)) person.pages.push(url)
  return url
}

/** Advances a person's test clock, which is created on first use. */
export async function wait(world: World, person: Person, hours: number): Promise<void> {
  const customer = customerOf(person)
  const { testClocks } = world.api.testHelpers
  if (!customer || hours === 0) return
  if (!person.clock) {
    const second = Math.ceil(world.clock.now.getTime() / 1000) + 1
    person.clock = (await ignoringStripeErrors(testClocks.create({ frozen_time: second, customer })))?.id ?? null
  }
  if (!person.clock) return
  const from = await testClocks.retrieve(person.clock)
  await ignoringStripeErrors(testClocks.advance(person.clock, { frozen_time: from.frozen_time + hours * 3600 }))
  while ((await testClocks.retrieve(person.clock)).status === 'advancing');
}

/**
 * Lets the next renewal fail, delivers its events, and advances past the grace period between two retries, when no event is
 * sent.
 */
export async function waitPastGracePeriod(world: World, person: Person): Promise<void> {
  const subscription = await running(world, person)
  const end = subscription?.items.data[0]?.current_period_end
  if (subscription?.status !== 'active' || !end || !subscription.customer) return
  await changeCard(world, person, false, 'the API')
  await wait(world, person, 1)
  const hoursUntil = async (second: number) => Math.ceil((second - (await timeOf(world, person))) / 3600)
  await wait(world, person, Math.max(0, (await hoursUntil(end)) + 2))
  const [open] = (await world.api.invoices.list({ subscription: subscription.id, status: 'open' })).data
  if (!open) return
  const graceEnds = open.created + 7 * 24 * 3600
  let next: number | null = open.created
  while (next !== null && next <= graceEnds) {
    await wait(world, person, Math.max(0, await hoursUntil(next)) + 1)
    await world.reconcile()
    const { next_payment_attempt: later }: Stripe.Invoice = await world.api.invoices.retrieve(open.id ?? '')
    // Without a test clock there are no retries.
    next = later === next ? null : later
  }
  await wait(world, person, Math.max(0, (await hoursUntil(graceEnds)) + 1))
}

async function timeOf(world: World, { clock }: Person): Promise<number> {
  return clock ? (await world.api.testHelpers.testClocks.retrieve(clock)).frozen_time : world.clock.now.getTime() / 1000
}

async function changeCard(world: World, person: Person, pays: boolean, way: Channel): Promise<void> {
  const customer = customerOf(person)
  if (!customer) return
  if (way === 'the portal') {
    const home = await portal(world, person)
    if (home?.status !== 200) return
    await press(await visit(`${home.url}/card`), 'Save card', card(pays ? person.card : '4000 0000 0000 0341'))
    return
  }
  const id = await ignoringStripeErrors(
    attachCard(world.api, customer, pays ? tokenOf(person) : 'pm_card_chargeCustomerFail'),
  )
  const subscription = await running(world, person)
  if (id && subscription)
    await ignoringStripeErrors(world.api.subscriptions.update(subscription.id, { default_payment_method: id }))
}

/** Sends the same request the given number of times. */
async function click(world: World, person: Person, times: number, name: string, input: object = {}): Promise<void> {
  const requestId = randomUUID()
  for (let count = 0; count < times; count += 1) await world.call(name, { ...input, requestId }, person)
}

async function cancel(world: World, person: Person, step: StepOf<'cancels'>): Promise<void> {
  const subscription = await running(world, person)
  if (!subscription) return
  person.endedByHand.add(subscription.id)
  if (step.through === 'the app') await click(world, person, step.clicks, 'cancel-plan')
  else if (step.when === 'now') await ignoringStripeErrors(world.api.subscriptions.cancel(subscription.id))
  else if (step.through === 'the API') {
    await ignoringStripeErrors(world.api.subscriptions.update(subscription.id, { cancel_at_period_end: true }))
  } else {
    const home = await portal(world, person)
    const page = home && (await visit(`${home.url}/cancel/${subscription.id}`))
    // A canceled plan redirects to the overview, where another plan can have the same link.
    if (page?.url.includes('/cancel/')) await pressIfPresent(page, 'Cancel plan')
  }
}

async function resume(world: World, person: Person, step: StepOf<'resumes'>): Promise<void> {
  const subscription = await running(world, person)
  if (!subscription) return
  if (step.through === 'the app') await click(world, person, step.clicks, 'resume-plan')
  else if (step.through === 'the portal') await pressIfPresent(await portal(world, person), 'Resume plan')
  else {
    const cleared = subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' as const }
    await ignoringStripeErrors(world.api.subscriptions.update(subscription.id, cleared))
  }
}

async function pause(world: World, person: Person, step: StepOf<'pauses'>): Promise<void> {
  const { months } = step
  if (step.through === 'the app') return takeOffer(world, person, step, { reason: 'unused', months })
  if (step.through === 'the button') return click(world, person, step.clicks, 'pause-plan', { months })
  const subscription = await running(world, person)
  if (!subscription) return
  const resumes_at = Math.floor(await timeOf(world, person)) + months * 30 * 24 * 3600
  await ignoringStripeErrors(
    world.api.subscriptions.update(subscription.id, { pause_collection: { behavior: 'void', resumes_at } }),
  )
}

async function takeOffer(
  world: World,
  person: Person,
  { clicks: times }: { clicks: number },
  { reason, ...terms }: { reason: string; months?: number },
): Promise<void> {
  const answer = await world.call('offer-to-stay', { reason }, person)
  const offer = answer?.status === 200 ? (answer.body.offer as { id: string; kind: string } | null) : null
  if (offer?.kind !== 'pause' && offer?.kind !== 'discount') return
  await click(world, person, times, 'take-stay-offer', { id: offer.id, kind: offer.kind, ...terms })
}

async function endPause(world: World, person: Person, step: StepOf<'goes on after a pause'>): Promise<void> {
  if (step.through === 'the app') return click(world, person, step.clicks, 'resume-plan')
  const subscription = await running(world, person)
  if (subscription)
    await ignoringStripeErrors(world.api.subscriptions.update(subscription.id, { pause_collection: '' }))
}

async function switchPlan(world: World, person: Person, step: StepOf<'switches'>): Promise<void> {
  const subscription = await running(world, person)
  const item = subscription?.items.data.find(world.isPlan)
  if (!subscription || !item) return
  const price = world.priceOf(step.plan)
  if (step.through === 'the app') {
    const preview = await world.call('preview-switch', { priceId: price }, person)
    if (preview?.status !== 200) return
    const { prorationDate, dueTodayCents } = preview.body
    await click(world, person, step.clicks, 'switch-plan', { priceId: price, prorationDate, dueTodayCents })
  } else if (step.through === 'the portal') {
    // Choosing another plan in the app leads to the portal.
    const url = await askForCheckout(world, person, step.plan)
    if (url?.includes('/p/session/')) await pressIfPresent(await visit(url), 'Confirm switch')
  } else {
    const proration_behavior = step.bills === 'now' ? 'always_invoice' : 'create_prorations'
    await ignoringStripeErrors(
      world.api.subscriptions.update(subscription.id, { items: [{ id: item.id, price }], proration_behavior }),
    )
  }
}

/** As a move of the owner does: another price of the product from the renewal on, without a proration. */
async function moveToPrice(world: World, person: Person, cents: number): Promise<void> {
  const subscription = await running(world, person)
  const item = subscription?.items.data.find(world.isPlan)
  if (!subscription || !item) return
  const { id: price } = await world.api.prices.create({
    product: String(item.price.product),
    currency: item.price.currency,
    unit_amount: cents,
    tax_behavior: item.price.tax_behavior ?? 'unspecified',
    recurring: {
      interval: item.price.recurring?.interval ?? 'month',
      interval_count: item.price.recurring?.interval_count ?? 1,
    },
  })
  const items = [{ id: item.id, price, quantity: item.quantity ?? 1 }]
  await ignoringStripeErrors(world.api.subscriptions.update(subscription.id, { items, proration_behavior: 'none' }))
}

async function changeSeats(world: World, person: Person, step: StepOf<'changes the seats'>): Promise<void> {
  const subscription = await running(world, person)
  const item = subscription?.items.data.find(world.isPlan)
  if (!subscription || !item) return
  const behaviors = { now: 'always_invoice', later: 'create_prorations', 'at the renewal': 'none' } as const
  const proration_behavior = behaviors[step.bills]
  const items = [{ id: item.id, quantity: step.quantity }]
  await ignoringStripeErrors(world.api.subscriptions.update(subscription.id, { items, proration_behavior }))
}

async function buyPastApp(world: World, person: Person, wanted: PlanKey): Promise<void> {
  const customer = customerOf(person)
  const id = customer && (await ignoringStripeErrors(attachCard(world.api, customer, tokenOf(person))))
  if (!customer || !id) return
  const items = [{ price: world.priceOf(wanted) }]
  const made = await ignoringStripeErrors(
    world.api.subscriptions.create({ customer, items, default_payment_method: id }),
  )
  if (made) person.boughtPastApp.add(made.id)
}

/** A subscription to another product, alone or together with a plan. */
async function buyOther(world: World, person: Person, step: StepOf<'buys another product'>): Promise<void> {
  const customer = customerOf(person)
  const id = customer && (await ignoringStripeErrors(attachCard(world.api, customer, tokenOf(person))))
  if (!customer || !id) return
  const prices = [
    world.otherPriceBeside(step.along ?? 'pro_monthly'),
    ...(step.along ? [world.priceOf(step.along)] : []),
  ]
  const made = await ignoringStripeErrors(
    world.api.subscriptions.create({
      customer,
      items: prices.map((price) => ({ price })),
      default_payment_method: id,
      metadata: { sold_by: 'another system' },
      ...(step.trial && !step.along && { trial_period_days: 14 }),
    }),
  )
  if (!made) return
  person.others.push(made)
  if (step.along) person.boughtPastApp.add(made.id)
}

async function payOpen(world: World, person: Person, step: StepOf<'pays what is open'>): Promise<void> {
  if (step.through === 'the app') return click(world, person, step.clicks, 'pay-open-invoices')
  const subscription = await running(world, person)
  if (!subscription) return
  const open = await world.api.invoices.list({ subscription: subscription.id, status: 'open', limit: 100 })
  for (const { id } of open.data) await ignoringStripeErrors(world.api.invoices.pay(id ?? ''))
}

async function refundPart(world: World, charge: Stripe.Charge, part: number): Promise<void> {
  const amount = Math.max(1, Math.floor((charge.amount - charge.amount_refunded) * part))
  await ignoringStripeErrors(world.api.refunds.create({ charge: charge.id, amount }))
}

/** The newest payment for a plan that wasn't refunded, noted as one that may be paid back. */
async function newestPayment(world: World, person: Person): Promise<Stripe.Charge | null> {
  const customer = customerOf(person)
  if (!customer) return null
  const charges = (await ignoringStripeErrors(world.api.charges.list({ customer, limit: 100 })))?.data ?? []
  const invoices =
    (await ignoringStripeErrors(world.api.invoices.list({ customer, limit: 100, expand: ['data.payments'] })))?.data ??
    []
  for (const charge of charges) {
    const invoice = invoices.find(({ payments }) =>
      payments?.data.some(({ payment }) => payment.payment_intent === charge.payment_intent),
    )
    const subscription = invoice?.parent?.subscription_details?.subscription
    const isOther = person.others.some(({ id }) => id === subscription)
    if (!charge.paid || charge.refunded || typeof subscription !== 'string' || isOther) continue
    person.refundedByHand.add(subscription)
    return charge
  }
  return null
}

/** The publisher pays back a part of the newest payment, in Stripe's dashboard. */
async function refund(world: World, person: Person, part: number): Promise<void> {
  const charge = await newestPayment(world, person)
  if (charge) await refundPart(world, charge, part)
}

async function dispute(world: World, person: Person): Promise<void> {
  const charge = await newestPayment(world, person)
  const customer = charge && (await world.api.customers.retrieve(String(charge.customer)))
  if (charge && !charge.disputed && !customer?.deleted) await openDispute(world, charge)
}

/** More seats at once, or fewer from the renewal on. */
async function changeSeatsInApp(
  world: World,
  person: Person,
  { seats, clicks: times }: StepOf<'changes the seats in the app'>,
): Promise<void> {
  const preview = await world.call('preview-seats', { seats }, person)
  if (preview?.status !== 200) {
    for (let count = 0; count < times; count += 1) await world.call('remove-seats', { seats }, person)
    return
  }
  const { prorationDate, dueTodayCents } = preview.body
  await click(world, person, times, 'add-seats', { seats, prorationDate, dueTodayCents })
}

/** The publisher credits the next invoices, in Stripe's dashboard. */
async function credit(world: World, person: Person, cents: number): Promise<void> {
  const subscription = await running(world, person)
  const customer = customerOf(person)
  if (!subscription || !customer) return
  const { currency } = subscription
  await ignoringStripeErrors(world.api.customers.createBalanceTransaction(customer, { amount: -cents, currency }))
}

/** Runs one step. Ignores its result, since access and the final state are checked. */
export async function runStep(world: World, step: Step): Promise<void> {
  const person = 'who' in step ? world.people[step.who % world.people.length] : undefined
  const kind = (kinds as unknown as Record<string, StepKind<never> | undefined>)[step.what]
  if (kind && person) await kind.run(world, person, step as never)
  else if (person) await runUserStep(world, person, step as OwnStep)
  else await runEnvironmentStep(world, step as OwnStep)
  await world.collectEvents()
  await expectFairAccess(world)
}

async function runUserStep(world: World, person: Person, step: OwnStep): Promise<void> {
  switch (step.what) {
    case 'asks for a checkout':
      await askForCheckout(world, person, step.plan)
      return
    case 'buys': {
      const url = await askForCheckout(world, person, step.plan, step.more)
      if (!url?.includes('/c/pay/')) return
      const { location } = await submitPayment(person, url, step.card)
      const sessionId = location && new URL(location).searchParams.get('session_id')
      if (sessionId && step.comesBack) await world.call('complete-checkout', { sessionId }, person)
      return
    }
    case 'buys in two tabs': {
      const urls = [await askForCheckout(world, person, step.plan), await askForCheckout(world, person, step.other)]
      for (const url of urls) if (url?.includes('/c/pay/')) await submitPayment(person, url, step.card)
      return
    }
    case 'pays on a page seen before': {
      const url = person.pages[step.page % Math.max(person.pages.length, 1)]
      if (url) await submitPayment(person, url, step.card)
      return
    }
    case 'buys past the app':
      return buyPastApp(world, person, step.plan)
    case 'buys another product':
      return buyOther(world, person, step)
    case 'changes the card':
      return changeCard(world, person, step.pays, step.through)
    case 'pays what is open':
      return payOpen(world, person, step)
    case 'waits':
      return wait(world, person, step.hours)
    case 'cancels':
      return cancel(world, person, step)
    case 'resumes':
      return resume(world, person, step)
    case 'pauses':
      return pause(world, person, step)
    case 'withdraws':
      return withdraw(world, person, step)
    case 'goes on after a pause':
      return endPause(world, person, step)
    case 'stays for a discount':
      return takeOffer(world, person, step, { reason: 'low_quality' })
    case 'switches':
      return switchPlan(world, person, step)
    case 'is moved to another price':
      return moveToPrice(world, person, step.cents)
    case 'changes the seats':
      return changeSeats(world, person, step)
    case 'is taxed': {
      const subscription = await running(world, person)
      const automatic_tax = { enabled: step.taxed }
      if (subscription) await ignoringStripeErrors(world.api.subscriptions.update(subscription.id, { automatic_tax }))
      return
    }
    case 'gets a refund':
      return refund(world, person, step.part)
    case 'gets a credit':
      return credit(world, person, step.cents)
    case 'buys a gift':
      return buyGift(world, person, step.isQuestioned)
    case 'changes the seats in the app':
      return changeSeatsInApp(world, person, step)
    case 'keeps the seats that were to end':
      for (let count = 0; count < step.clicks; count += 1) await world.call('keep-seats', {}, person)
      return
    case 'accepts an invitation':
      return acceptInvitation(world, person)
    case 'claims the gift link':
      await claimGiftLink(world, person)
      return
    case 'disputes a payment':
      return dispute(world, person)
    case 'claims a gift':
      return claimGift(world, person)
    case 'is deleted at Stripe': {
      const customer = customerOf(person)
      const of = customer && (await ignoringStripeErrors(world.api.subscriptions.list({ customer, limit: 100 })))
      for (const { id } of of ? of.data : []) person.endedByHand.add(id)
      if (customer) await ignoringStripeErrors(world.api.customers.del(customer))
      person.clock = null
      return
    }
    case 'is looked at by a slow server': {
      const customer = customerOf(person)
      if (customer) await world.startSlowSync(customer)
      return
    }
    case 'looks':
      await world.call('check-subscription', { refresh: step.refresh }, person)
      return
  }
}

async function runEnvironmentStep(world: World, step: OwnStep): Promise<void> {
  const { post } = world
  switch (step.what) {
    case 'webhooks arrive':
      for (const pick of step.picks) {
        const [event] = post.length > 0 ? post.splice(pick % post.length, 1) : []
        if (!event) return
        await world.deliver(event)
        if (step.twice) await world.deliver(event)
      }
      return
    case 'webhooks arrive in order':
      for (const event of post.splice(0, 15)) await world.deliver(event)
      return
    case 'an old webhook comes again': {
      const event = world.delivered[step.pick % Math.max(world.delivered.length, 1)]
      if (event) await world.deliver(event)
      return
    }
    case 'a gift is refunded': {
      const open = (await giftCharges(world)).find(({ amount, amount_refunded: back }) => back < amount)
      if (open) await refundPart(world, open, step.part)
      return
    }
    case 'a giver withdraws':
      return withdrawFromGift(world, step)
    case 'a dispute is decided':
      return decideDispute(world, step.pick, step.decision)
    case 'the referral job runs':
      await world.workOnReferrals()
      return
    case 'the pause job runs':
      await world.endDuePauses()
      return
    case 'the withdrawal job runs':
      await world.workOnWithdrawals()
      return
    case 'the seat job runs':
      await world.lowerDueSeats()
      return
    case 'the gift job runs':
      await world.workOnGifts()
      return
    case 'slow servers go on':
      return world.finishSlow()
    case 'webhooks are lost':
      post.length = 0
      return
    case 'the network':
      world.setNetwork(step.is)
      return
    case 'the server dies':
      world.dieAfter(step.after, step.when)
      return
    case 'minutes pass':
      world.clock.now = new Date(world.clock.now.getTime() + step.minutes * 60_000)
      return
    case 'reconciliation':
      await world.reconcile()
  }
}
