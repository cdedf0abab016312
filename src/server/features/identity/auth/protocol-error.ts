/** Errors of `/auth/v1` only. Errors used elsewhere too are in `shared/errors.ts`. */
const protocolErrors = {
  flow_state_not_found: [404, 'invalid flow state, no valid flow state found'],
  flow_state_expired: [422, 'invalid flow state, flow state has expired'],
  bad_code_verifier: [400, 'code challenge does not match previously saved code verifier'],
  current_password_invalid: [400, 'Current password is incorrect.'],
  current_password_required: [400, 'Current password is required.'],
  mfa_phone_verify_not_enabled: [422, 'MFA verification is disabled for Phone'],
  not_admin: [403, 'User not allowed'],
  oauth_authorization_not_found: [404, 'authorization not found'],
  oauth_client_not_found: [404, 'OAuth client not found'],
  oauth_consent_not_found: [404, 'No active grant found for this client'],
  phone_login_disabled: [422, 'Unsupported phone provider'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export class ProtocolError extends Error {
  readonly code: string
  readonly status: number

  constructor(name: keyof typeof protocolErrors) {
    const [status, message] = protocolErrors[name]
    super(message)
    this.name = 'ProtocolError'
    // One code, but another status and message than in `shared/errors.ts`.
    this.code = name === 'phone_login_disabled' ? 'phone_provider_disabled' : name
    this.status = status
  }
}
