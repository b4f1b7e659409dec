// Shows the HTML of an e-mail that the console sends. It runs in a sandbox without the console's origin; the policy of its page lets no script of
// an e-mail run, and the sandbox opens no windows, so that links lead nowhere.
addEventListener('message', ({ data, source }) => {
  if (source !== parent) return
  const shown = new DOMParser().parseFromString(data, 'text/html')
  const base = shown.createElement('base')
  base.target = '_blank'
  shown.head.prepend(base)
  document.documentElement.replaceWith(document.adoptNode(shown.documentElement))
})
