// Runs in the head before anything is painted, on every page, with or without the app: sets the
// theme, keeps the browser's own colour in step, and serves the theme buttons of static pages.
;(() => {
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  const chosen = () => {
    try {
      return localStorage.getItem('theme')
    } catch {
      return null // Storage can be forbidden; then the system decides.
    }
  }
  const apply = () => {
    const choice = chosen()
    const isDark = choice === 'dark' || (choice !== 'light' && system.matches)
    root.classList.toggle('dark', isDark)
    let colour = document.head.querySelector('meta[name=theme-color]')
    if (!colour) {
      colour = document.createElement('meta')
      colour.setAttribute('name', 'theme-color')
      document.head.append(colour)
    }
    colour.setAttribute('content', isDark ? '#0e1612' : '#f6fbf7')
    for (const button of document.querySelectorAll('button[data-theme-choice]'))
      button.setAttribute(
        'aria-pressed',
        String(button.getAttribute('data-theme-choice') === (choice ?? 'system')),
      )
    dispatchEvent(new Event('themechange'))
  }
  const choose = (choice) => {
    try {
      if (choice === 'system') localStorage.removeItem('theme')
      else localStorage.setItem('theme', choice)
    } catch {
      // Storage is forbidden: nothing can be kept, and the buttons go on showing the system.
    }
    apply()
  }
  addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('[data-theme-choice]')
    if (button) choose(button.getAttribute('data-theme-choice'))
  })
  addEventListener('choosetheme', (event) => choose(event.detail))
  addEventListener('storage', apply)
  addEventListener('DOMContentLoaded', apply)
  system.addEventListener('change', apply)
  apply()
})()
