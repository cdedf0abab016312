/** The script of a shared section or prompt, served as it is. */
const prompt = document.querySelector('pre[data-prompt]')
const bar = document.querySelector('.copy-bar')
const fields = document.querySelectorAll('[data-fills]')

/** "Saturday, 2:49 PM" in the visitor's time, since links end within days. */
for (const time of document.querySelectorAll('.about time')) {
  const end = new Date(time.dateTime)
  const day = end.toLocaleDateString('en-US', { weekday: 'long' })
  time.textContent = `${day}, ${end.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })}`
}

/** Fills every blank with this key; an empty value shows the blank again. */
function fill(key, value) {
  for (const mark of prompt.querySelectorAll('mark')) {
    if (mark.dataset.blank !== key) continue
    mark.dataset.written ??= mark.textContent
    mark.textContent = value.trim() || mark.dataset.written
    mark.classList.toggle('filled', value.trim() !== '')
  }
}

function report(message) {
  const left = [...fields].filter(({ value }) => value.trim() === '').length
  const missing = left === 0 ? '' : `${left} ${left === 1 ? 'blank' : 'blanks'} left`
  bar.querySelector('[role=status]').textContent = [message, missing].filter(Boolean).join('. ')
}

/** Selects the text where the browser refuses the clipboard, so that it can be copied by hand. */
async function copy(text, element) {
  try {
    await navigator.clipboard.writeText(text)
    return 'Copied'
  } catch {
    getSelection()?.selectAllChildren(element)
    return 'Selected. Copy it with your browser'
  }
}

if (prompt && bar) {
  bar.hidden = false
  for (const element of document.querySelectorAll('[data-unfilled], .blanks')) element.hidden = !element.hidden
  for (const field of fields) {
    // After going back, the browser has filled in the fields already.
    if (field.value) fill(field.dataset.fills, field.value)
    field.addEventListener('input', () => {
      fill(field.dataset.fills, field.value)
      report('')
    })
  }
  document.querySelector('.blanks')?.addEventListener('submit', (event) => event.preventDefault())
  bar.querySelector('button').addEventListener('click', async () => report(await copy(prompt.textContent, prompt)))
  report('')
}

for (const quotation of document.querySelectorAll('blockquote[data-copy]')) {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' })
  button.addEventListener('click', async () => {
    button.textContent = await copy(quotation.dataset.copy, quotation)
  })
  quotation.append(button)
}
