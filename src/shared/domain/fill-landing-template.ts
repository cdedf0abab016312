/** Fills the placeholders of index.html with markup and data. The JSON script isn't executed, so the CSP allows it. */
export function fillLanding(template: string, markup: string, json: string): string {
  // A sample can contain "</script>".
  const data = json.replaceAll('<', '\\u003c')
  return template
    .replace('<!--app-->', () => markup)
    .replace('<!--samples-->', () => `<script type="application/json" id="landing-samples">${data}</script>`)
}
