import { html, raw } from 'hono/html'
import { type Markup, type PageConfig, pageLayout } from '#server/pages/page-layout.ts'
import { blankKey } from '#shared/domain/fill-placeholders.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import { type PromptPart, splitPlaceholders } from '#shared/domain/placeholders.ts'
import { variables } from '#shared/domain/variables.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import type { SharedItem } from './find-shared-item.ts'

export const sharedPageFiles = { styles: '/shared/page.css', script: '/shared/page.js' } as const

/**
 * The page behind a link: one section or prompt, without links into the portal. Its script fills in blanks, copies, and
 * shows the end of the link in the visitor's time; without it, everything can be read.
 */
export const sharedItemPage = (item: SharedItem, config: PageConfig): Markup =>
  pageLayout({
    title: item.kind === 'section' ? item.section.heading : item.prompt.title,
    shape: 'wide',
    config,
    stylesheet: sharedPageFiles.styles,
    head: html`<script type="module" src="${sharedPageFiles.script}"></script>`,
    main: html`<article class="shared">
      <p class="from">${fromLine(item, config.settings.publication)}</p>
      ${item.kind === 'section' ? sectionOf(item.section) : promptOf(item.prompt)}
      <div class="about">
        <p>Works until ${until(item.expiresAt)}. Please don’t post the link publicly.</p>
        <p>${config.settings.publication.name}: ${config.settings.publication.tagline}. <a href="/drops">${inOwnWords(config.settings.publication, 'Read open drops')}</a> or <a href="/free">get the free edition</a>.</p>
      </div>
    </article>`,
  })

const fromLine = ({ businessName, kind }: SharedItem, publication: Publication) =>
  html`<strong>${businessName ?? 'A member'}</strong> shared this ${kind} from ${publication.name} with you.`

const until = (instant: Date) =>
  html`<time datetime="${instant.toISOString()}">${new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(instant)} UTC</time>`

const minutesOf = (minutes: number | null) =>
  minutes === null ? '' : html`<p class="facts">About ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}</p>`

type SectionOf = Extract<SharedItem, { kind: 'section' }>['section']
type PromptOf = Extract<SharedItem, { kind: 'prompt' }>['prompt']

const sectionOf = ({ heading, summary, minutes, html: text }: SectionOf) =>
  html`<h1>${heading}</h1>
    ${summary ? html`<p class="lead">${summary}</p>` : ''}
    ${minutesOf(minutes)}
    <div class="prose">${raw(withoutPortalLinks(text))}</div>`

function promptOf({ title, when, minutes, body, checks }: PromptOf): Markup {
  const parts = splitPlaceholders(body)
  return html`<h1>${title}</h1>
    <p class="lead">${when}</p>
    ${minutesOf(minutes)}
    ${blankFields(parts)}
    <pre data-prompt>${parts.map(({ text, placeholder }) =>
      placeholder ? html`<mark data-blank="${blankKey(placeholder)}">${text}</mark>` : text,
    )}</pre>
    ${
      checks.length === 0
        ? ''
        : html`<section><h2>Check the answer</h2>
          <ul>${checks.map((check) => html`<li>${check}</li>`)}</ul></section>`
    }
    <div class="copy-bar" hidden><button type="button" data-copy-prompt>Copy prompt</button><span role="status"></span></div>`
}

/** A field for each different blank. Without the script there is a sentence instead. */
function blankFields(parts: readonly PromptPart[]): Markup | '' {
  const blanks = new Map(
    parts.flatMap(({ placeholder }) => (placeholder ? [[blankKey(placeholder), placeholder]] : [])),
  )
  if (blanks.size === 0) return ''
  return html`<p class="facts" data-unfilled>Replace what is in [brackets], then paste the text into your AI assistant.</p>
    <form class="blanks" hidden>${[...blanks].map(([key, { name, hint }]) => {
      const label = name ? variables[name].label : key
      const hasLines = name !== null && /^(?:text|list)$/.test(variables[name].type)
      return html`<label><span>${label}${hint ? html` <small>${hint}</small>` : ''}</span>
        ${hasLines ? html`<textarea rows="2" data-fills="${key}"></textarea>` : html`<input data-fills="${key}">`}</label>`
    })}</form>`
}

/** Links to the portal would only lead to the sign-in page. Our renderer writes each as one tag without nesting. */
export const withoutPortalLinks = (text: string): string =>
  text.replaceAll(/<a href="\/[^"]*"[^>]*>([\s\S]*?)<\/a>/g, '$1')
