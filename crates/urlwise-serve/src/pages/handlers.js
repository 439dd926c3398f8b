"use strict";
const said = document.getElementById("said");
if ("registerProtocolHandler" in navigator) {
  said.textContent = "";
  document.getElementById("offers").hidden = false;
  for (const button of document.querySelectorAll("#offers button")) {
    button.addEventListener("click", () => {
      try {
        navigator.registerProtocolHandler(button.value, location.origin + "/open?url=%s");
        said.textContent = "The browser now asks about " + button.value + ", unless you have answered before.";
      } catch (error) {
        said.textContent = "The browser refuses " + button.value + ": " + error.message;
      }
    });
  }
}
