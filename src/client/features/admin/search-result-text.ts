const whole = new Intl.NumberFormat('en-US')

/** "First 50 users matching “pat”". `more`: there are further pages. */
export function resultText(shown: number, more: boolean, search: string): string {
  const matching = search ? ` matching “${search}”` : ''
  if (shown === 0) return `No users${matching}`
  const users = shown === 1 && !more ? 'user' : 'users'
  return `${more ? 'First ' : ''}${whole.format(shown)} ${users}${matching}`
}
