// Runs first in the pages under /view-as, where staff look at the portal as a member (decision 43). It gives the tab
// storage of its own, so that the staff member's session, offline library and other tabs are neither read nor changed, and
// shows the bar with the time left. The server decides what the view may do.
;(() => {
  const key = 'front-counter-view-as'
  const base = '/view-as'
  let view = null
  try {
    view = JSON.parse(sessionStorage.getItem(key))
  } catch {
    // Handled like a missing view.
  }
  const forget = () => sessionStorage.removeItem(key)
  const memberPage = view ? `/admin/members/${view.userId}` : '/admin/members'
  if (!view || Date.parse(view.expiresAt) <= Date.now()) {
    forget()
    location.replace(memberPage)
    return
  }

  const theme = localStorage.getItem('theme')
  const day = 24 * 60 * 60
  const session = {
    access_token: view.token,
    // Never renewed: the server ends the view.
    refresh_token: 'none',
    token_type: 'bearer',
    expires_in: day,
    expires_at: Math.floor(Date.now() / 1000) + day,
    user: {
      id: view.userId,
      email: view.email,
      ...(view.emailConfirmedAt && { email_confirmed_at: view.emailConfirmedAt }),
      aud: 'authenticated',
      app_metadata: {},
      user_metadata: {},
      factors: [],
    },
  }
  const values = new Map([[`sb-${location.hostname.split('.')[0]}-auth-token`, JSON.stringify(session)]])
  if (theme) values.set('theme', theme)
  const replace = (owner, name, value) => Object.defineProperty(owner, name, { value, configurable: true })
  replace(window, 'localStorage', {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, String(value)),
    removeItem: (name) => void values.delete(name),
    clear: () => values.clear(),
    key: (index) => [...values.keys()][index] ?? null,
    get length() {
      return values.size
    },
  })
  // As in browsers that block storage.
  const blocked = () => {
    throw new DOMException('Not available while viewing as a member', 'SecurityError')
  }
  replace(window, 'indexedDB', { open: blocked, deleteDatabase: blocked, databases: async () => [] })
  replace(navigator, 'serviceWorker', {
    controller: null,
    register: async () => blocked(),
    getRegistration: async () => undefined,
    getRegistrations: async () => [],
    addEventListener() {},
    removeEventListener() {},
  })
  // Other tabs belong to the staff member.
  window.addEventListener('storage', (event) => event.stopImmediatePropagation(), true)
  replace(
    window,
    'BroadcastChannel',
    class extends EventTarget {
      postMessage() {}
      close() {}
    },
  )

  const send = window.fetch.bind(window)
  const isOver = () => Response.json({ error: 'The view has ended.', code: 'read_only_view' }, { status: 403 })
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href)
    if (url.origin === location.origin) {
      if (url.pathname.startsWith('/rest/v1/')) return Response.json([])
      if (url.pathname.startsWith('/auth/v1/')) return isOver()
    }
    const response = await send(input, init)
    if (response.status !== 401 || !url.pathname.startsWith('/functions/v1/')) return response
    leave()
    return isOver()
  }
  window.viewAsBase = base

  function leave() {
    forget()
    // A tab that a script opened may close; another one goes back to the member's page.
    window.close()
    location.replace(memberPage)
  }

  async function end() {
    const headers = { Authorization: `Bearer ${view.token}`, 'Content-Type': 'application/json' }
    await send('/functions/v1/end-view-as', { method: 'POST', headers, body: '{}' }).catch(() => {})
    leave()
  }

  function element(tag, styles, text = '') {
    const made = document.createElement(tag)
    made.textContent = text
    for (const [name, value] of Object.entries(styles)) made.style.setProperty(name, value)
    return made
  }

  function showBar() {
    const bar = element('aside', {
      position: 'fixed',
      inset: 'auto 0 0 0',
      'z-index': '1000',
      display: 'flex',
      'flex-wrap': 'wrap',
      'align-items': 'center',
      'justify-content': 'center',
      gap: '0.25rem 1.25rem',
      padding: '0.5rem 1rem max(0.5rem, env(safe-area-inset-bottom))',
      background: 'var(--ink)',
      color: 'var(--background)',
      font: '600 0.9375rem/1.4 var(--font-sans, system-ui, sans-serif)',
    })
    bar.setAttribute('aria-label', 'Viewing as a member')
    const text = element('p', { margin: '0', 'min-width': '0', 'overflow-wrap': 'anywhere' })
    text.append(`Viewing as ${view.email || 'a member'}, read-only. `)
    const left = element('span', { 'font-variant-numeric': 'tabular-nums', 'white-space': 'nowrap' })
    text.append(left)
    const button = element(
      'button',
      {
        'min-height': '2.75rem',
        padding: '0 1rem',
        font: 'inherit',
        color: 'var(--ink)',
        background: 'var(--background)',
        border: '0',
        'border-radius': '0.375rem',
        cursor: 'pointer',
      },
      'End',
    )
    button.type = 'button'
    button.addEventListener('click', () => void end())
    bar.append(text, button)
    document.body.append(bar)
    document.body.style.setProperty('padding-bottom', '4.5rem')

    const tick = () => {
      const seconds = Math.max(0, Math.round((Date.parse(view.expiresAt) - Date.now()) / 1000))
      left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`
      if (seconds === 0) leave()
    }
    tick()
    setInterval(tick, 1_000)
  }
  document.addEventListener('DOMContentLoaded', showBar)
})()
