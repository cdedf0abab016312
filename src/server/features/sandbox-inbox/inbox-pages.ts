import { html } from 'hono/html'
import type { OutboxEmail } from '#server/mail/outbox.ts'
import { type Markup, pageLayout } from '#server/pages/page-layout.ts'
import type { SentSms } from '#server/sms/sms-outbox.ts'

const timeFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })
const time = (instant: string) => html`<time datetime="${instant}">${timeFormat.format(new Date(instant))}</time>`

/** Beside the stylesheet that all pages of the server share. */
export const inboxStylesPath = '/sandbox/mail.css'

const page = (title: string, main: Markup | Markup[]) =>
  pageLayout({ title, main, shape: 'wide', sandbox: true, stylesheet: inboxStylesPath })

type ListData = { rows: { id: string; mail: OutboxEmail }[]; total: number; to: string }

/** What was sent, newest first. */
export const listPage = ({ rows, total, to }: ListData) =>
  page('Sandbox mail', [
    html`<h1>Sandbox mail</h1>
      <p class="lead">Everything the server has sent, newest first. Nothing leaves this machine.
        <a href="/sandbox/messages">Text messages</a> are on a page of their own.</p>
      <form method="get" action="/sandbox/mail" role="search">
        <label for="to">Address</label>
        <input id="to" name="to" type="email" value="${to}" autocomplete="off" placeholder="new@frontcounter.test">
        <button type="submit">Show</button>
      </form>`,
    rows.length === 0
      ? html`<p class="empty">${to ? `Nothing was sent to ${to} yet.` : 'Nothing was sent yet. Sign up or finish onboarding, then reload.'}</p>`
      : html`<p class="count">${count(rows.length, total)}</p>
          <ol class="list">
            ${rows.map(
              ({ id, mail }) => html`<li>
                <a href="/sandbox/mail/${id}">${mail.subject}</a>
                <span class="to">${mail.to}</span>
                ${time(mail.createdAt)}
              </li>`,
            )}
          </ol>`,
    ...(to ? [html`<p><a href="/sandbox/mail">All addresses</a></p>`] : []),
  ])

const count = (shown: number, total: number) =>
  shown < total ? `The newest ${shown} of ${total} mails` : total === 1 ? '1 mail' : `${total} mails`

/**
 * One mail. Its HTML is drawn in a frame without an origin or forms, under a policy of its own that runs no script and
 * loads nothing but pictures under the address `media`; links open beside it. `allow-scripts` is for the tools that check pages, such as axe: they are not
 * bound by the policy and wait without end in a frame that forbids scripts altogether.
 */
export const messagePage = (mail: OutboxEmail, media: string) =>
  page(
    mail.subject,
    html`<p><a href="/sandbox/mail">All mail</a></p>
      <h1>${mail.subject}</h1>
      <dl>
        <dt>To</dt>
        <dd><a href="/sandbox/mail?to=${encodeURIComponent(mail.to)}">${mail.to}</a></dd>
        <dt>Sent</dt>
        <dd>${time(mail.createdAt)}</dd>
        ${Object.entries(mail.headers).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
      </dl>
      <h2>As the reader sees it</h2>
      <iframe
        title="The mail as HTML"
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        referrerpolicy="no-referrer"
        srcdoc="${framed(mail.html, media)}"
      ></iframe>
      <h2>As plain text</h2>
      <pre tabindex="0" role="region" aria-label="The mail as plain text">${mail.text}</pre>`,
  )

/** A link inside the frame would be loaded inside the frame, where no page of ours lets itself be shown. */
const frameHead = (media: string) =>
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data: ${media}">` +
  '<base target="_blank">'

const framed = (mailHtml: string, media: string) =>
  /<head[^>]*>/i.test(mailHtml)
    ? mailHtml.replace(/<head[^>]*>/i, (head) => head + frameHead(media))
    : frameHead(media) + mailHtml

/** Text messages, newest first: whole, since they are short. */
export const messagesPage = (messages: readonly SentSms[]) =>
  page('Sandbox text messages', [
    html`<h1>Sandbox text messages</h1>
      <p class="lead">What would have gone to phones, newest first. <a href="/sandbox/mail">Mail is here.</a></p>`,
    messages.length === 0
      ? html`<p class="empty">Nothing was sent yet.</p>`
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

export const missingPage = () =>
  page(
    'No such mail',
    html`<h1>No such mail</h1>
      <p class="lead">It may have fallen off the list. <a href="/sandbox/mail">See all mail</a>.</p>`,
  )
