import { html, raw } from 'hono/html'
import { type Markup, pageLayout } from '#server/pages/page-layout.ts'
import { publication } from '#shared/publication.ts'
import type { SharedItem } from './find-shared-item.ts'

export const sharedPageStylesPath = '/shared/styles.css'

/** The page behind a link: one section or prompt, without scripts and without links into the portal. */
export const sharedItemPage = (item: SharedItem, sandbox: boolean): Markup =>
  pageLayout({
    title: item.kind === 'section' ? item.section.heading : item.prompt.title,
    shape: 'wide',
    sandbox,
    stylesheet: sharedPageStylesPath,
    main: html`<article class="shared">
      <p class="from">${fromLine(item)}</p>
      ${item.kind === 'section' ? sectionOf(item.section) : promptOf(item.prompt)}
      <p class="until">This link works until ${until(item.expiresAt)}. Please don’t post it publicly.</p>
    </article>`,
  })

const fromLine = ({ businessName, kind }: SharedItem) =>
  `${businessName ?? 'A member'} shared this ${kind} from ${publication.name} with you.`

const until = (instant: Date) =>
  html`<time datetime="${instant.toISOString()}">${new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(instant)} UTC</time>`

type SectionOf = Extract<SharedItem, { kind: 'section' }>['section']
type PromptOf = Extract<SharedItem, { kind: 'prompt' }>['prompt']

const sectionOf = ({ heading, summary, minutes, html: text }: SectionOf) =>
  html`<h1>${heading}</h1>
    ${summary ? html`<p class="lead">${summary}</p>` : ''}
    <p class="facts">About ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}</p>
    <div class="prose">${raw(withoutPortalLinks(text))}</div>`

const promptOf = ({ title, when, minutes, body, checks }: PromptOf) =>
  html`<h1>${title}</h1>
    <p class="lead">${when}</p>
    ${minutes === null ? '' : html`<p class="facts">About ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}</p>`}
    <p class="facts">Replace what is in [brackets], then paste the text into your AI assistant.</p>
    <pre>${body}</pre>
    ${
      checks.length === 0
        ? ''
        : html`<h2>Check the answer</h2>
          <ul>${checks.map((check) => html`<li>${check}</li>`)}</ul>`
    }`

/** Links to the portal would only lead to the sign-in page. Our renderer writes each as one tag without nesting. */
export const withoutPortalLinks = (text: string): string =>
  text.replaceAll(/<a href="\/[^"]*"[^>]*>([\s\S]*?)<\/a>/g, '$1')

/** Reading text, and a print sheet that fits Letter and A4. */
export const sharedPageStyles = `
.shared { max-width: 42rem; margin-inline: auto; }
.from, .until, .facts { color: var(--muted); font-size: 0.9375rem; line-height: 1.5rem; }
.from { margin: 0 0 1.5rem; padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); }
.until { margin: 3rem 0 0; padding-top: 0.75rem; border-top: 1px solid var(--line); }
.facts { margin: 0.75rem 0 0; }
.prose { margin-top: 1.5rem; font-size: 1.0625rem; line-height: 1.7; }
.prose h3 { margin: 1.8em 0 0.6em; font-size: 1.25rem; line-height: 1.3; }
.prose li + li { margin-top: 0.4em; }
.prose img { max-width: 100%; height: auto; }
.prose blockquote { margin-inline: 0; padding-left: 1rem; border-left: 3px solid var(--line-strong); }
pre, .prose pre {
  margin: 1.25rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 5px; background: var(--surface);
  font: inherit; white-space: pre-wrap; overflow-wrap: anywhere;
}
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9375em; }
pre code { font: inherit; }
.table-box { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { overflow-wrap: normal; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
@media print {
  :root { color-scheme: light; }
  html { background: none; font-size: 10.5pt; }
  .masthead, footer, .skip { display: none; }
  main { padding-block: 0; }
  .page { max-width: none; padding-inline: 0; }
  h1, h2, h3 { break-after: avoid; }
  pre, tr, li { break-inside: avoid; }
}
`
