import type { WebResponse } from '../http/server.ts'
import { html } from './html.ts'
import { hiddenField, page } from './layout.ts'

/** The authentication page (3D Secure), where the payer chooses the result. */
export function authenticatePage(input: {
  action: string
  csrf: string
  what: string
  targets: (string | null)[]
}): WebResponse {
  return page({
    body: html`
<h1>Authenticate payment</h1>
<div class="card">
  <p>This test card requires authentication for ${input.what}. A real bank asks in its app. Here you choose the result.</p>
  <form method="post" action="${input.action}" class="actions" data-once>
    ${hiddenField('csrf', input.csrf)}
    <button class="primary" name="result" value="complete">Complete</button>
    <button class="danger" name="result" value="fail">Fail</button>
  </form>
</div>`,
    formTargets: input.targets,
    title: 'Authenticate payment',
  })
}

export const authenticationFailed =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'
