// Small comforts; every page works without them.
const field = (name) => document.querySelector(`input[name="${name}"]`)

for (const helper of document.querySelectorAll('[data-test-cards]')) {
  helper.hidden = false
  helper.addEventListener('click', (event) => {
    const button = event.target.closest('button[data-number]')
    if (!button) return
    const year = String(new Date().getFullYear() + 3).slice(-2)
    const values = { number: button.dataset.number, expiry: `12 / ${year}`, cvc: button.dataset.cvc }
    for (const [name, value] of Object.entries(values)) {
      const input = field(name)
      if (input) input.value = value
    }
    field('number')?.focus()
  })
}

const number = field('number')
number?.addEventListener('input', () => {
  if (number.selectionStart !== number.value.length) return
  const digits = number.value.replace(/\D/g, '').slice(0, 19)
  number.value = digits.replace(/(.{4})(?=.)/g, '$1 ')
})

const expiry = field('expiry')
expiry?.addEventListener('input', (event) => {
  if (event.inputType?.startsWith('delete')) return
  const digits = expiry.value.replace(/\D/g, '').slice(0, 4)
  if (digits.length >= 2 && !expiry.value.includes('/')) expiry.value = `${digits.slice(0, 2)} / ${digits.slice(2)}`
})

// A second click would be harmless, the server pays once; this only shows that the first one was taken.
for (const form of document.querySelectorAll('form[data-once]')) {
  form.addEventListener('submit', () => {
    setTimeout(() => {
      for (const button of form.querySelectorAll('button')) button.disabled = true
    })
  })
}
