const key = 'front-counter-offer'
/** Long enough to come back after asking a partner, short enough that an old link doesn't surprise anyone. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1000

/**
 * The code of the offer link that was opened last in this browser. In local storage, because the confirmation email can
 * open in another tab. Null without one.
 */
export function readOfferCode(now = Date.now()): string | null {
  try {
    const [code = '', at = ''] = (localStorage.getItem(key) ?? '').split(' ')
    return code !== '' && now - Number(at) < maxAgeMs ? code : null
  } catch {
    return null
  }
}

/** Null forgets it. */
export function rememberOfferCode(code: string | null, now = Date.now()) {
  try {
    if (code === null) localStorage.removeItem(key)
    else localStorage.setItem(key, `${code} ${now}`)
  } catch {
    // Storage is blocked: checkout has the regular price, which it shows before paying.
  }
}
