// CommonJS, by the package.json beside it: in an ES module webpack and Rspack leave a `require` as it is, and there it fails. All
// bundlers leave out a `require` that stands in a `try` where there is no such package.
try {
  exports.NavigationContext = require('@react-navigation/native').NavigationContext
} catch {
  exports.NavigationContext = undefined
}
