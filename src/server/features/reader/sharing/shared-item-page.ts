import { html } from 'hono/html'
import { crewTextsIn } from '#server/pages/crew-texts.ts'
import { languageSwitch } from '#server/pages/language-switch.ts'
import { type Markup, type PageConfig, pageLayout } from '#server/pages/page-layout.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import type { CrewLanguage } from '#shared/domain/task-links.ts'
import type { SharedItem } from './find-shared-item.ts'
import { itemBody, type TextInLanguage } from './item-body.ts'

export const sharedPageFiles = { styles: '/shared/page.css', script: '/shared/page.js' } as const

type SharedPage = { shared: SharedItem; content: TextInLanguage; language: CrewLanguage; config: PageConfig }

/**
 * The page behind a link: one section or prompt, without links into the portal. Its script fills in blanks, copies, and
 * shows the end of the link in the visitor's time; without it, everything can be read.
 */
export function sharedItemPage({ shared, content, language, config }: SharedPage): Markup {
  const text = crewTextsIn(language)
  const { publication } = config.settings
  const { kind } = shared.item
  return pageLayout({
    title: content.title,
    shape: 'wide',
    config,
    language,
    stylesheet: sharedPageFiles.styles,
    head: html`<script type="module" src="${sharedPageFiles.script}"></script>`,
    main: html`<article class="shared">
      <p class="from"><strong>${shared.businessName ?? text('aMember')}</strong> ${text('sharedThis', { kind, publication: publication.name })}</p>
      ${languageSwitch(language)}
      <h1 lang="${content.textLanguage}">${content.title}</h1>
      ${itemBody(content, language)}
      <div class="about">
        <p>${text('worksUntil')} ${until(shared.expiresAt, language)}. ${text('keepPrivate')}</p>
        <p>${publication.name}: ${publication.tagline}. <a href="/drops">${inOwnWords(publication, text('readDrops'))}</a> ${text('or')} <a href="/free">${text('getFree')}</a>.</p>
      </div>
    </article>`,
  })
}

const until = (instant: Date, language: CrewLanguage) =>
  html`<time datetime="${instant.toISOString()}">${new Intl.DateTimeFormat(`${language}-US`, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(instant)} UTC</time>`
