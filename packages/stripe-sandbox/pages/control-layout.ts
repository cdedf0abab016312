import type { WebResponse } from '../http/server.ts'
import { type Html, html, type Part } from './html.ts'
import { page } from './layout.ts'

const tabs = [
  ['/sandbox', 'Customers'],
  ['/sandbox/events', 'Events and webhooks'],
  ['/sandbox/settings', 'Settings'],
] as const

export function controlPage(input: {
  title: string
  current: string
  body: Part
  refresh?: number
  formTargets?: (string | null)[]
}): WebResponse {
  const links: Html[] = tabs.map(
    ([href, text]) => html`<a href="${href}"${href === input.current && html` aria-current="page"`}>${text}</a>`,
  )
  return page({
    body: html`<nav class="tabs" aria-label="Sandbox">${links}</nav><h1>${input.title}</h1>${input.body}`,
    formTargets: input.formTargets,
    refresh: input.refresh,
    title: input.title,
    wide: true,
  })
}

/** All control pages share one form token. */
export const controlScope = 'control room'
