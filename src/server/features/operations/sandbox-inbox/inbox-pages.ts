import { html } from 'hono/html'
import type { Config } from '#server/config/config.ts'
import type { OutboxEmail } from '#server/mail/outbox.ts'
import { type Markup, type PageConfig, pageLayout } from '#server/pages/page-layout.ts'
import type { SentSms } from '#server/sms/sms-gateway.ts'

const timeFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })
const time = (instant: string) => html`<time datetime="${instant}">${timeFormat.format(new Date(instant))}</time>`

/** Loaded in addition to the shared stylesheet. */
export const inboxStylesPath = '/sandbox/mail.css'

const page = (config: PageConfig, title: string, main: Markup | Markup[]) =>
  pageLayout({ title, main, shape: 'wide', config, stylesheet: inboxStylesPath })

/** The server's configuration, in sandbox mode. */
export type InboxConfig = PageConfig & Pick<Config, 'publicUrl'>

type ListData = { rows: { id: string; message: OutboxEmail }[]; total: number; to: string }

/** Sent emails, newest first. */
export const listPage = (config: InboxConfig, { rows, total, to }: ListData) =>
  page(config, 'Sandbox inbox', [
    html`<h1>Sandbox inbox</h1>
      <p class="lead">All emails the server sent, newest first. Nothing leaves this machine.
        <a href="/sandbox/messages">Text messages</a> are on a separate page.</p>
      <form method="get" action="/sandbox/mail" role="search">
        <label for="to">Address</label>
        <input id="to" name="to" type="email" value="${to}" autocomplete="off" placeholder="new@frontcounter.test">
        <button type="submit">Show</button>
      </form>`,
    rows.length === 0
      ? html`<p class="empty">${to ? `No emails to ${to} yet.` : 'No emails yet. Sign up or finish onboarding, then reload.'}</p>`
      : html`<p class="count">${count(rows.length, total)}</p>
          <ol class="list">
            ${rows.map(
              ({ id, message }) => html`<li>
                <a href="/sandbox/mail/${id}">${message.subject}</a>
                <span class="to">${message.to}</span>
                ${time(message.createdAt)}
              </li>`,
            )}
          </ol>`,
    ...(to ? [html`<p><a href="/sandbox/mail">All addresses</a></p>`] : []),
  ])

const count = (shown: number, total: number) =>
  shown < total ? `The newest ${shown} of ${total} emails` : total === 1 ? '1 email' : `${total} emails`

/**
 * One email. Its HTML is shown in a frame without an origin or forms, with a CSP that runs no scripts and loads images only
 * from our `/media`. `allow-scripts` is for tools such as axe, which hang in frames that forbid scripts.
 */
export const messagePage = (config: InboxConfig, message: OutboxEmail) =>
  page(
    config,
    message.subject,
    html`<p><a href="/sandbox/mail">All emails</a></p>
      <h1>${message.subject}</h1>
      <dl>
        <dt>To</dt>
        <dd><a href="/sandbox/mail?to=${encodeURIComponent(message.to)}">${message.to}</a></dd>
        <dt>Sent</dt>
        <dd>${time(message.createdAt)}</dd>
        ${Object.entries(message.headers).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
      </dl>
      <h2>HTML</h2>
      <iframe
        title="HTML version"
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        referrerpolicy="no-referrer"
        srcdoc="${framed(message.html, `${config.publicUrl}/media/ ${config.publicUrl}/app-icon-192.png`)}"
      ></iframe>
      <h2>Plain text</h2>
      <pre tabindex="0" role="region" aria-label="Plain text version">${message.text}</pre>`,
  )

/** Links open in a new tab, because our pages refuse to load in a frame. */
const frameHead = (images: string) =>
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data: ${images}">` +
  '<base target="_blank">'

const framed = (emailHtml: string, images: string) =>
  /<head[^>]*>/i.test(emailHtml)
    ? emailHtml.replace(/<head[^>]*>/i, (head) => head + frameHead(images))
    : frameHead(images) + emailHtml

/** Sent text messages in full, newest first. */
export const messagesPage = (config: InboxConfig, messages: readonly SentSms[]) =>
  page(config, 'Sandbox text messages', [
    html`<h1>Sandbox text messages</h1>
      <p class="lead">All text messages the server sent, newest first. <a href="/sandbox/mail">Go to the email inbox.</a></p>`,
    messages.length === 0
      ? html`<p class="empty">No text messages yet.</p>`
      : html`<ol class="list">
          ${messages.map(
            ({ to, text, createdAt }) => html`<li>
              <span class="to">${to}</span>
              ${time(createdAt)}
              <p class="text">${text}</p>
            </li>`,
          )}
        </ol>`,
  ])

export const missingPage = (config: InboxConfig) =>
  page(
    config,
    'Email not found',
    html`<h1>Email not found</h1>
      <p class="lead">It may have been removed from the list. <a href="/sandbox/mail">See all emails</a>.</p>`,
  )
