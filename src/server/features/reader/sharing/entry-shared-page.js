/** The script of pages for people without an account that show a section or a prompt, served as it is. */
const { lang } = document.documentElement

/** "Saturday, 2:49 PM" in the visitor's time, since links end within days. */
for (const time of document.querySelectorAll('.about time')) {
  const end = new Date(time.dateTime)
  const day = end.toLocaleDateString(lang, { weekday: 'long' })
  time.textContent = `${day}, ${end.toLocaleTimeString(lang, { hour: 'numeric', minute: '2-digit' })}`
}

/** Selects the text where the browser refuses the clipboard, so that it can be copied by hand. */
async function copy(text, element, { copied, selected }) {
  try {
    await navigator.clipboard.writeText(text)
    return copied
  } catch {
    getSelection()?.selectAllChildren(element)
    return selected
  }
}

/** A prompt with a field for each blank. */
function enable(block) {
  const prompt = block.querySelector('pre')
  const bar = block.querySelector('.copy-bar')
  const fields = block.querySelectorAll('[data-fills]')
  const left = JSON.parse(bar.dataset.left)

  /** Fills every blank with this key; an empty value shows the blank again. */
  const fill = ({ value, dataset }) => {
    for (const mark of prompt.querySelectorAll('mark')) {
      if (mark.dataset.blank !== dataset.fills) continue
      mark.dataset.written ??= mark.textContent
      mark.textContent = value.trim() || mark.dataset.written
      mark.classList.toggle('filled', value.trim() !== '')
    }
  }
  const report = (message) => {
    const missing = left[[...fields].filter(({ value }) => value.trim() === '').length]
    bar.querySelector('[role=status]').textContent = [message, missing].filter(Boolean).join('. ')
  }

  bar.hidden = false
  for (const element of block.querySelectorAll('[data-unfilled], .blanks')) element.hidden = !element.hidden
  for (const field of fields) {
    // After going back, the browser has filled in the fields already.
    if (field.value) fill(field)
    field.addEventListener('input', () => {
      fill(field)
      report('')
    })
  }
  block.querySelector('.blanks')?.addEventListener('submit', (event) => event.preventDefault())
  bar
    .querySelector('button')
    .addEventListener('click', async () => report(await copy(prompt.textContent, prompt, bar.dataset)))
  report('')
}
for (const block of document.querySelectorAll('.prompt')) enable(block)
