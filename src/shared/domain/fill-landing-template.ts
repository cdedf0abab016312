import { jsonScript } from './document-fields.ts'

/** Fills the placeholders of index.html with markup and data. The JSON script isn't executed, so the CSP allows it. */
export function fillLanding(template: string, markup: string, json: string): string {
  return template
    .replace('<!--app-->', () => markup)
    .replace('<!--samples-->', () => jsonScript('landing-samples', json))
}
