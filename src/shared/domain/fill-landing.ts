/**
 * Puts markup and data into the landing page that the build left, in the places that index.html names. Data is no script:
 * the policy for inline scripts does not concern it.
 */
export function fillLanding(template: string, markup: string, json: string): string {
  // A sample may hold anything that a publisher writes, the end of the element included.
  const data = json.replaceAll('<', '\\u003c')
  return template
    .replace('<!--app-->', () => markup)
    .replace('<!--samples-->', () => `<script type="application/json" id="landing-samples">${data}</script>`)
}
