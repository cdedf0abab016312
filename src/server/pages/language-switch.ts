import { html } from 'hono/html'
import { type CrewLanguage, crewLanguageNames, crewLanguages } from '#shared/domain/task-links.ts'

/** Links to the page in the other languages. */
export const languageSwitch = (language: CrewLanguage) =>
  html`<p class="languages">${crewLanguages
    .filter((each) => each !== language)
    .map((each) => html`<a href="?lang=${each}" lang="${each}" hreflang="${each}">${crewLanguageNames[each]}</a>`)}</p>`
