const CHOSEN = 'theme'

/** The colours of the console: those of the system unless others were chosen. */
export const themes = ['system', 'light', 'dark'] as const

type Theme = (typeof themes)[number]

/** The colours that were chosen here. */
export function chosenTheme(): Theme {
  return themes.find((theme) => theme === localStorage.getItem(CHOSEN)) ?? 'system'
}

/** Shows the console in these colours from now on. */
export function showTheme(theme: Theme): void {
  localStorage.setItem(CHOSEN, theme)
  document.documentElement.dataset.theme = theme
}
