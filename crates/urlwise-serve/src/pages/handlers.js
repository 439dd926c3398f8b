"use strict";
const said = document.getElementById("said");
if ("registerProtocolHandler" in navigator) {
  said.textContent = "";
  document.getElementById("offers").hidden = false;
  for (const button of document.querySelectorAll("#offers button")) {
    button.addEventListener("click", () => {
      try {
        navigator.registerProtocolHandler(button.value, location.origin + "/open?url=%s");
        said.textContent = said.dataset.asked.replace("{scheme}", () => button.value);
      } catch (error) {
        said.textContent = said.dataset.refused.replace("{scheme}", () => button.value).replace("{cause}", () => error.message);
      }
    });
  }
}
