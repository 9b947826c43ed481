function init() Application.console_send({ type = "other" }) end
function update() end
function render() end
