import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { html } from 'hono/html'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { guides, promptCategories, tools } from '#server/db/schema/index.ts'
import { type Markup, type PageConfig, pageLayout } from '#server/pages/page-layout.ts'
import { pageStylesAddress } from '#server/pages/page-styles.ts'
import { lookAttribute } from '#shared/domain/designs.ts'
import { formatList } from '#shared/domain/format.ts'
import { mailboxPage } from '#shared/domain/mailbox-page.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import type { Publication } from '#shared/publication-defaults.ts'

const columns = {
  id: guides.id,
  title: guides.title,
  description: guides.description,
  format: guides.format,
  extent: guides.extent,
  inside: guides.inside,
}
type GiftGuide = Pick<typeof guides.$inferSelect, keyof typeof columns>

const isGift = and(eq(guides.gift, true), isNotNull(guides.publishedAt))

/** Guides that come with the free edition, in the order of the portal. */
export const listGiftGuides = (db: Db): Promise<GiftGuide[]> =>
  db.select(columns).from(guides).where(isGift).orderBy(asc(guides.position), asc(guides.id))

/** What members have besides drops, as far as something of the kind is published. */
export async function listOfferings(db: Db): Promise<string[]> {
  const kinds = { 'the prompt packs': promptCategories, guides, 'tool picks': tools }
  const counts = await Promise.all(Object.values(kinds).map((kind) => db.$count(kind, isNotNull(kind.publishedAt))))
  return Object.keys(kinds).filter((_, at) => counts[at])
}

/** Null if the guide isn't a gift, or not any longer. */
export async function findGiftGuide(db: Db, id: string | undefined): Promise<GiftGuide | null> {
  if (!id || !/^[a-z0-9-]{1,200}$/.test(id)) return null
  const [guide] = await db
    .select(columns)
    .from(guides)
    .where(and(isGift, eq(guides.id, id)))
  return guide ?? null
}

const page = (title: string, main: Markup, config: PageConfig, isIndexed = false): Markup =>
  pageLayout({ title, main, shape: 'column', config, isIndexed, stylesheet: '/free/styles.css' })

/** The entered values; `problem` is about the address. `guide` is the one that they asked for. */
type Given = { email?: string; problem?: string; guide?: GiftGuide | null }

const addressForm = ({ email = '', problem, guide }: Given): Markup =>
  html`<form class="free-form" method="post" action="/free">
      ${guide ? html`<input type="hidden" name="guide" value="${guide.id}">` : ''}
      <label for="email">Email</label>
      <input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${email}"${
        problem ? html` aria-invalid="true" aria-describedby="problem"` : ''
      }>
      ${problem ? html`<p id="problem" class="problem" role="alert">${problem}</p>` : ''}
      <button type="submit">${guide ? 'Get the guide' : 'Get the free edition'}</button>
    </form>`

const factsOf = ({ format, extent }: GiftGuide) => [format, extent].filter(Boolean).join(', ')

/** A guide that comes with the free edition. */
export const guidePage = (guide: GiftGuide, given: Given, config: PageConfig): Markup =>
  page(
    guide.title,
    html`<p class="note">${factsOf(guide)}, free</p>
    <h1>${guide.title}</h1>
    <p class="lead">${guide.description}</p>
    ${addressForm({ ...given, guide })}
    <p class="note">We email you a link. Behind it you download the guide, and you get the free edition${config.settings.publication.words.weekly ? ' each week' : ''} until you unsubscribe.</p>
    ${guide.inside.length > 0 ? html`<h2>Inside</h2><ul class="inside">${guide.inside.map((line) => html`<li>${line}</li>`)}</ul>` : ''}`,
    config,
    true,
  )

type Offered = { gifts: readonly GiftGuide[]; offerings: readonly string[] }

/** Says what the free edition is, and what it isn't. */
export const signUpPage = (given: Given, { gifts, offerings }: Offered, config: PageConfig): Markup =>
  page(
    'Free edition',
    html`<h1>The free edition</h1>
    <p class="lead">${inOwnWords(config.settings.publication, `${config.settings.publication.words.weekly ? 'Each week you' : 'You'} get the opening of the drop and the sections that are open to everyone.`)} You need an address and no password.</p>
    ${addressForm(given)}
    ${
      gifts.length > 0
        ? html`<h2>Or start with a guide</h2>
    <ul class="inside">${gifts.map((guide) => html`<li><a href="/free/guides/${guide.id}">${guide.title}</a> <span>${factsOf(guide)}</span></li>`)}</ul>`
        : ''
    }
    <p class="note">Members get every section in the order that fits their business${offerings.length > 0 ? `, and ${formatList(offerings)}` : ''}. <a href="/#pricing">See what members get</a></p>
    <p class="note">You can unsubscribe in every email.${config.settings.publication.pages.includes('privacy') ? html` <a href="/privacy">Privacy</a>` : ''}</p>`,
    config,
    true,
  )

/** The form alone, for a frame on another site. Its answer opens on our site. */
export const embeddedForm = (publication: Publication): Markup => html`<!doctype html>
<html lang="en" data-look="${lookAttribute(publication.look)}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <title>${publication.name}, free edition</title>
    <link rel="stylesheet" href="${pageStylesAddress(publication)}">
    <link rel="stylesheet" href="/free/styles.css">
  </head>
  <body class="embedded">
    <main>
      <h1>${publication.name}</h1>
      <p>${publication.tagline}.</p>
      ${html`<form class="free-form" method="post" action="/free" target="_blank">
        <label for="email">Email</label>
        <input id="email" name="email" type="email" autocomplete="email" required maxlength="254">
        <button type="submit">Get the free edition</button>
      </form>`}
    </main>
  </body>
</html>
`

export function checkInboxPage(email: string, config: PageConfig & Pick<Config, 'mail'>): Markup {
  const mailbox = mailboxPage(email, config.mail.from)
  return page(
    'Check your inbox',
    html`<h1>Check your inbox</h1>
    <p class="lead">Open the link that we’ve just sent to <strong>${email}</strong>. Then the free edition is yours.</p>
    <div class="actions">
      ${mailbox ? html`<a class="button" href="${mailbox.address}" target="_blank" rel="noreferrer">Open ${mailbox.name}</a>` : ''}
      <a class="button secondary" href="/contact.vcf">Add to contacts</a>
    </div>
    <p class="note">Nothing there? Check your spam folder. We send one link a day to an address, so use the latest one you have.</p>
    <p class="note"><a href="/free">Use another address</a></p>`,
    config,
  )
}

/** Opening the link changes nothing, because email scanners open links. The button subscribes. */
type Confirming = { email: string; token: string; guide: GiftGuide | null }

export const confirmPage = ({ email, token, guide }: Confirming, config: PageConfig): Markup =>
  page(
    'Confirm the free edition',
    html`<h1>Confirm the free edition</h1>
    <p class="lead">It goes to <strong>${email}</strong>${config.settings.publication.words.weekly ? ', once a week' : ''}.${guide ? ` Next you download “${guide.title}”.` : ''}</p>
    <form class="free-form" method="post" action="/free/confirm">
      <input type="hidden" name="token" value="${token}">
      <button type="submit">Get the free edition</button>
    </form>`,
    config,
  )

type Reader = { hasAccess: boolean; guide: GiftGuide | null; token: string }

const downloadForm = ({ guide, token }: Reader): Markup | '' =>
  guide
    ? html`<form class="free-form" method="post" action="/free/guides/${guide.id}/download">
      <input type="hidden" name="token" value="${token}">
      <button type="submit">Download “${guide.title}”</button>
    </form>`
    : ''

export const confirmedPage = (reader: Reader, config: PageConfig): Markup =>
  reader.hasAccess
    ? page(
        'You’re a member',
        html`<h1>You’re a member</h1>
    <p class="lead">${inOwnWords(config.settings.publication, 'You already get every section of each drop.')} If your membership ends, you’ll get the free edition.</p>
    ${downloadForm(reader)}
    <div class="actions"><a class="button" href="/portal">Open the portal</a></div>`,
        config,
      )
    : page(
        'You’re in',
        html`<h1>You’re in</h1>
    <p class="lead">${inOwnWords(config.settings.publication, 'The next drop arrives in your inbox.')} Until then, read the others.</p>
    ${downloadForm(reader)}
    <div class="actions">
      <a class="button" href="/drops">${inOwnWords(config.settings.publication, 'Read the drops')}</a>
      <a class="button secondary" href="/account/preferences">Answer a few questions</a>
    </div>
    <p class="note">Your answers put what fits your business first, in this edition too. You sign in with a link that we email you.</p>`,
        config,
      )

export const brokenLinkPage = (config: PageConfig): Markup =>
  page(
    'This link doesn’t work',
    html`<h1>This link doesn’t work</h1>
    <p class="lead">It is more than seven days old, or part of it is missing. Enter your address again to get a new one.</p>
    <div class="actions"><a class="button" href="/free">Get the free edition</a></div>`,
    config,
  )

export const freeStyles = `.free-form { display: grid; gap: 0.5rem; margin-top: 1.5rem; }
.free-form label { font-weight: 600; }
.free-form input { width: 100%; min-height: 44px; padding: 0 12px; border: 1px solid var(--line-strong); border-radius: 5px; background: var(--surface); color: var(--ink); font: inherit; }
.free-form [aria-invalid] { border-color: var(--danger); }
.free-form button { margin-top: 0.5rem; }
.inside { padding-left: 1.25rem; }
.inside li + li { margin-top: 0.5rem; }
.inside span { color: var(--muted); font-size: 0.9375rem; }
.problem { margin: 0; color: var(--danger); font-weight: 500; }
.embedded main { padding: 1rem; }
.embedded h1 { margin: 0 0 0.25rem; font-size: 1.375rem; }
.embedded p { margin: 0; color: var(--muted); }
.embedded { min-height: 0; }
`
